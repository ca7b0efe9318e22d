/**
 * The static page: it defines the widget, in the language of the browser. Everything else is the widget.
 */

import './widget/pincite-widget.js';

if (/^zh\b/i.test(navigator.language)) {
  document.documentElement.lang = 'zh';
  document.querySelector('pincite-widget, pincite-evidence')?.setAttribute('lang', 'zh');
}
