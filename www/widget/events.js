/**
 * The events of the widget: they bubble and cross the shadow boundary, so a portal can listen where it likes. Every
 * script of the page can hear them: they carry what the comment of the widget's class names, and nothing besides.
 */

const outward = { bubbles: true, composed: true };

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('../engine/errors.js').PlainError} PlainError */

/** The stored library has been loaded; questions can be asked. */
export class PinciteReadyEvent extends Event {
  constructor() {
    super('pincite-ready', outward);
  }
}

/** A document can be searched. */
export class PinciteAddEvent extends Event {
  /** @param {LibraryDocument} document */
  constructor(document) {
    super('pincite-add', outward);
    this.document = document;
  }
}

/** A document was taken out of the library. */
export class PinciteRemoveEvent extends Event {
  /** @param {string} documentId */
  constructor(documentId) {
    super('pincite-remove', outward);
    this.documentId = documentId;
  }
}

/** A question was answered. */
export class PinciteAnswerEvent extends Event {
  /** @param {string} question @param {Answer} answer */
  constructor(question, answer) {
    super('pincite-answer', outward);
    this.question = question;
    this.answer = answer;
  }
}

/** A citation is about to be shown; a portal that shows documents itself prevents the default. */
export class PinciteCiteEvent extends Event {
  /** @param {Citation} citation */
  constructor(citation) {
    super('pincite-cite', { ...outward, cancelable: true });
    this.citation = citation;
  }
}

/** The state of the library on a server has changed. */
export class PinciteLibraryEvent extends Event {
  /** @param {import('../remote/types.js').LibraryStatus} status */
  constructor(status) {
    super('pincite-library', outward);
    this.status = status;
  }
}

/** A file could not be added, or a question not answered. */
export class PinciteErrorEvent extends Event {
  /** @param {PlainError} error @param {string | null} file its name */
  constructor(error, file) {
    super('pincite-error', outward);
    this.error = error;
    this.file = file;
  }
}
