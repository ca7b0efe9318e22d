/**
 * Files of the model, for workers: fetched from the site's folder, or taken out of what the page in one file gave.
 */

/**
 * @param {import('./protocol.js').ModelFiles} model
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the reason in a few words
 */
export async function modelFile(model, name) {
  const file = typeof model === 'string' ? addressIn(model, name) : model[name];
  if (file === undefined) throw new Error('it is not in this file');
  const response = await (typeof file === 'string' ? fetchFile(file) : unpack(file));
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {string} folder with a query that each of its files has @param {string} name */
function addressIn(folder, name) {
  const address = new URL(name, folder);
  address.search = new URL(folder).search;
  return address.href;
}

/** @param {string} address */
async function fetchFile(address) {
  const response = await fetch(address).catch(() => {
    throw new Error('no reply');
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

/** @param {Uint8Array<ArrayBuffer>} file compressed by gzip */
const unpack = (file) =>
  new Response(new Response(file).body?.pipeThrough(new DecompressionStream('gzip')) ?? null);
