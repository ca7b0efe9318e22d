/**
 * The static page: it defines the widget, in the language of the browser, and makes the site an app, which opens without a
 * network. Everything else is the widget.
 */

import { PinciteWidget } from './widget/pincite-widget.js';
import { keptSite } from './offline/site.js';

const widget = document.querySelector('pincite-widget');

if (/^zh\b/i.test(navigator.language)) {
  document.documentElement.lang = 'zh';
  document.querySelector('pincite-widget, pincite-evidence')?.setAttribute('lang', 'zh');
}

const site = keptSite();
if (site && widget instanceof PinciteWidget) {
  widget.site = site;
  // The engine comes first; what can be kept of it is then not loaded twice.
  widget.engine.opened.then(
    () => site.open((files) => void widget.addFiles(files)),
    () => {},
  );
}
