/**
 * `pincite`: defines `<pincite-widget>`, and gives its class and the classes of its events.
 */

export { PinciteWidget } from '../widget/pincite-widget.js';
export {
  PinciteAddEvent,
  PinciteAnswerEvent,
  PinciteCiteEvent,
  PinciteErrorEvent,
  PinciteLibraryEvent,
  PinciteReadyEvent,
  PinciteRemoveEvent,
} from '../widget/events.js';

/** @typedef {import('../remote/types.js').LibraryOptions} LibraryOptions */
/** @typedef {import('../remote/types.js').LibraryStatus} LibraryStatus */
