/**
 * A library as a file, in English, and the shape that every language has. They are apart from the other strings, since they are
 * loaded when a library is saved.
 */

/** @typedef {typeof enLibraryFile} LibraryFileStrings */

/** @param {number} n */
const count = (n) => `${n.toLocaleString('en')} ${n === 1 ? 'document' : 'documents'}`;

export const enLibraryFile = {
  label: 'Library as a file',
  /** @param {number} done @param {number} total */
  progress: (done, total) => `Saving, ${done.toLocaleString('en')} of ${count(total)}`,
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was saved.',
  /** @param {string} name @param {number} n @param {string} size */
  saved: (name, n, size) => `${name}: ${count(n)}, ${size}.`,
  how: 'Drop it on this page in any browser: nothing is read again. It holds the documents and their words, readable for everyone, also of files with a password.',
  trust:
    'What such a file says of its documents is not compared with them when it is opened. Open only those of people you trust.',
  /** @param {string[]} names */
  left: (names) =>
    `Not in it, since the files have changed on this device or were removed: ${names.join(', ')}.`,
  nothing: 'Nothing was saved: the files of all documents have changed on this device. Add them again.',
  insecure: 'This page was opened without encryption (http), so the browser cannot hash. Open it over https.',
  /** @param {string} why */
  failed: (why) => `The library could not be saved${why && `: ${why}`}. Try it again.`,
  dismiss: 'Dismiss the message about the saved library',
};
