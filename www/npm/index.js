/**
 * `pincite`: defines `<pincite-widget>`, and gives its class and the classes of its events.
 */

export { PinciteWidget } from '../widget/pincite-widget.js';
export {
  PinciteAddEvent,
  PinciteAnswerEvent,
  PinciteCiteEvent,
  PinciteErrorEvent,
  PinciteReadyEvent,
  PinciteRemoveEvent,
} from '../widget/events.js';
