/**
 * The static page: it defines the widget and puts it there. Everything else is the widget.
 */

import './widget/pincite-widget.js';
