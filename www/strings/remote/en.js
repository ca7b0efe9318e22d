/**
 * A library on a server, in English, and the shape that every language has. They are apart from the other strings, since they
 * are loaded with the library.
 */

/** @typedef {typeof enRemote} RemoteStrings */
/** @typedef {readonly [title: (where: string) => string, hint: string]} ReasonText */

/** @param {number} n @param {string} one @param {string} [many] */
const count = (n, one, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export const enRemote = {
  /** Steps of requests, as the list of what left the device names them. */
  steps: {
    'library-list': 'List of a library',
    'library-ask': 'Question to a library',
    'library-document': 'Document of a library',
  },

  remote: {
    /** @param {string} where */
    label: (where) => `Library at ${where}`,
    /** @param {string} where */
    documents: (where) => `Documents at ${where}`,
    /** @param {string} where */
    connecting: (where) => `Connecting to ${where}…`,
    /** @param {string} where */
    asked: (where) => `Also ask ${where}`,
    /** @param {string} where */
    askedMore: (where) =>
      `Questions are sent to ${where}; your files are not. Of its documents only what is cited or opened comes here, and none of it is stored.`,
    /** @param {string} where */
    notAsked: (where) => `Questions are not sent to ${where}.`,
    find: 'Find a document by its name',
    /** @param {number} n */
    more: (n) => `${count(n, 'more document')}. Find them by name.`,
    /** @param {number} listed @param {number} all */
    unlisted: (listed, all) =>
      `The library has ${count(all, 'document')}; the first ${listed.toLocaleString('en')} are listed. While one is left out, only listed ones are looked in.`,
    again: 'Try again',
    /** @param {string} where */
    noDocuments: (where) => `There is no document for you at ${where}.`,
    textDocument: 'without pages',

    /** Progress of its answer. @param {string} where @param {string} step @param {number} done @param {number} total 0 where it is not known */
    progress: (where, step, done, total) =>
      `${where}: ${step === '' ? 'answering' : step.charAt(0).toLowerCase() + step.slice(1)}${total > 0 ? `, ${done} of ${total}` : ''}…`,
    /** @param {string} where @param {number} done @param {number} total */
    comparing: (where, done, total) =>
      `${where}: looking quotations up in their documents, ${done} of ${total}…`,
    without: 'Do not wait for it',

    /** Notices above an answer. @param {string} where */
    silentThere: (where) => `The documents at ${where} do not answer this.`,
    silentHere: 'The documents in this browser do not answer this.',
    failedHere: 'The documents in this browser could not be searched.',
    /** @param {string} where */
    skipped: (where) => `${where} was not waited for.`,
    /** @param {string} where */
    writtenThere: (where) => `What cites documents at ${where} was written by a model there.`,
    /** @param {number} n */
    unheld: (n) =>
      `Figures, dates, duties and denials of ${count(n, 'sentence')} could not be looked up here, since the documents did not come whole.`,
    /** @param {{ name: string, where: string }} model */
    writtenHere: ({ name, where }) =>
      `What cites documents in this browser was written by ${[name, where].filter(Boolean).join(' at ') || 'a model'}.`,
    /** @param {string} where @param {number} n */
    compared: (where, n) =>
      `${n === 1 ? 'The quotation' : `All ${n} quotations`} from ${where} ${n === 1 ? 'was' : 'were'} looked up on this device in the documents that came from there.`,
    /** @param {string} where @param {number} n @param {number} total */
    unchecked: (where, n, total) =>
      `${n} of ${count(total, 'quotation')} from ${where} could not be looked up, since the documents did not come.`,
    /** @param {string} where @param {number} n @param {number} total */
    notFound: (where, n, total) =>
      `${n} of ${count(total, 'quotation')} from ${where} ${n === 1 ? 'does' : 'do'} not stand in the document cited, whatever the server says.`,

    /** @param {string} where @param {string} why */
    missing: (where, why) => `A part of this document did not come from ${where}: ${why}`,
    /** @param {string} id */
    request: (id) => `Request ${id}.`,
    /** @param {string} said the server's own words */
    said: (said) => `The server says: “${said}”.`,
    /** @param {number} seconds */
    wait: (seconds) => `It asks to wait ${count(seconds, 'second')}.`,
  },

  reasons: /** @type {Record<import('../../remote/errors.js').LibraryReason, ReasonText>} */ ({
    address: [
      () => 'The address of the library cannot be used',
      'Whoever runs this page: it must begin with https://, or with http:// on this machine.',
    ],
    token: [(where) => `There is no sign-in for ${where}`, 'Sign in again, and reload the page.'],
    unauthorized: [(where) => `${where} does not accept the sign-in`, 'Sign in again, and try again.'],
    forbidden: [(where) => `${where} does not allow this`, 'Ask whoever runs the library for access.'],
    'not-found': [
      (where) => `There is no library at ${where}`,
      'Whoever runs this page: check the address of the library.',
    ],
    'document-unknown': [
      (where) => `${where} does not have this document, or not for you`,
      'It may have been removed, or your access may have ended.',
    ],
    'rate-limited': [(where) => `${where} has too many requests`, 'Wait a little and try again.'],
    unavailable: [(where) => `The library at ${where} cannot be reached by its server`, 'Try again later.'],
    timeout: [(where) => `${where} did not answer in time`, 'Try again, or look in fewer documents.'],
    'server-error': [
      (where) => `${where} failed`,
      'Try again; if it stays so, tell whoever runs the library.',
    ],
    refused: [
      (where) => `${where} did not take the request`,
      'Ask in fewer words, or look in fewer documents.',
    ],
    offline: [(where) => `There is no network to ask ${where}`, 'It is asked again once there is one.'],
    unreachable: [
      (where) => `${where} cannot be reached`,
      'It may be down, or not allow this page to ask it. Try again.',
    ],
    policy: [
      (where) => `The policy of this page does not allow requests to ${where}`,
      'Whoever runs this page: add its origin to connect-src of the Content-Security-Policy.',
    ],
    'cut-off': [(where) => `The connection to ${where} broke in the middle of the answer`, 'Ask again.'],
    'bad-reply': [
      (where) => `The reply of ${where} is none of a library`,
      'Whoever runs this page: the library may be of another version.',
    ],
    'too-large': [
      (where) => `The reply of ${where} is larger than this page takes`,
      'Look in fewer documents.',
    ],
    changed: [
      (where) => `A document at ${where} is no longer the one that was cited`,
      'Ask again: the answer was made of its earlier content.',
    ],
    cancelled: [() => 'Cancelled', ''],
  }),
};
