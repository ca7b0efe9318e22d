/**
 * Messages between the static page and its service worker, and the lock by which a page says which build it is of.
 */

/**
 * @typedef {(
 *   | { type: 'take-over' }
 *   | { type: 'opened' }
 * )} ToServiceWorker `take-over`: the person wants the new version; `opened`: the page is there and takes what was shared
 */

/**
 * Why a build could not be kept: there is no space, a file could not be loaded or is another than the build's, or the
 * browser does not store anything here.
 * @typedef {'no-space' | 'unreachable' | 'other-file' | 'refused'} KeepingFailure
 */

/**
 * @typedef {(
 *   | { type: 'not-kept', why: KeepingFailure, file: string }
 *   | { type: 'shared', files: File[] }
 * )} FromServiceWorker `file` is empty where it is about none
 */

/** Address below the site's to which the system posts shared files, and their name in the form; as in the manifest. */
export const shareTarget = { path: 'share', name: 'documents' };

/**
 * Name of the lock that a page holds, shared, as long as it is open: the files of its build stay until then.
 * @param {string} folder address of the site @param {string} build
 */
export const lockOf = (folder, build) => `pincite:site:${folder}:${build}`;
