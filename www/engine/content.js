/**
 * Content of a file as it goes to workers and to the store: a blob, which is read where it is needed, or its bytes, where
 * workers read no blob (the page in one file, in WebKit) or the store takes none (private windows of WebKit).
 */

/** @typedef {Blob | Uint8Array<ArrayBuffer>} Content */

/** @param {Content} content */
export async function bytesOf(content) {
  return content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
}

/** @param {Content} content @param {string} type for bytes, which have none */
export function blobOf(content, type) {
  return content instanceof Blob ? content : new Blob([content], { type });
}
