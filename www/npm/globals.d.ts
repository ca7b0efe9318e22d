// What TypeScript knows of the page once `pincite` is imported: the element by its tag, its events by their names.
import type { PinciteWidget } from '../widget/pincite-widget.js';
import type {
  PinciteAddEvent,
  PinciteAnswerEvent,
  PinciteCiteEvent,
  PinciteErrorEvent,
  PinciteLibraryEvent,
  PinciteReadyEvent,
  PinciteRemoveEvent,
} from '../widget/events.js';

declare global {
  interface HTMLElementTagNameMap {
    'pincite-widget': PinciteWidget;
  }
  interface HTMLElementEventMap {
    'pincite-ready': PinciteReadyEvent;
    'pincite-add': PinciteAddEvent;
    'pincite-remove': PinciteRemoveEvent;
    'pincite-answer': PinciteAnswerEvent;
    'pincite-cite': PinciteCiteEvent;
    'pincite-error': PinciteErrorEvent;
    'pincite-library': PinciteLibraryEvent;
  }
}
