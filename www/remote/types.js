/**
 * Types of a library on a server that a page around the widget sees. No code, and no import of what needs any: they are part of
 * the package's declarations.
 */

/** @typedef {import('./errors.js').LibraryReason} LibraryReason */

/**
 * A library on a server, as a page sets it.
 * @typedef {object} LibraryOptions
 * @property {string | URL} url its address, without `/v1`: https, or http on this machine; relative to the page
 * @property {() => string | Promise<string>} [token] gives the token that goes with each request. Asked for when it is needed,
 *   and once more when the server no longer takes it; without it none is sent
 */

/**
 * State of a library on a server, without its token.
 * @typedef {object} LibraryStatus
 * @property {string} url
 * @property {'connecting' | 'open' | 'failed'} state
 * @property {LibraryReason | null} reason why it failed
 * @property {string} message the reason in English, for a developer
 * @property {number} nDocuments number of its documents that the person may see
 */

export {};
