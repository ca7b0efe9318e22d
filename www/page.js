/**
 * The static page: it defines the widget, in the language of the browser. Everything else is the widget; in an evidence
 * file, the element that shows it.
 */

import './widget/pincite-widget.js';

const evidence = document.querySelector('pincite-evidence');
if (/^zh\b/i.test(navigator.language)) {
  document.documentElement.lang = 'zh';
  for (const element of [document.querySelector('pincite-widget'), evidence])
    element?.setAttribute('lang', 'zh');
}
if (evidence) void import('./evidence/pincite-evidence.js');
