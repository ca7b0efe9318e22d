/**
 * Files of the model, for workers: fetched from the site's folder, or taken out of what the page in one file gave.
 */

/**
 * @param {import('./protocol.js').Assets['model']} model
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the reason in a few words
 */
export async function modelFile(model, name) {
  const response = await (typeof model === 'string' ? fetchFile(model, name) : unpackFile(model, name));
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {string} folder @param {string} name */
async function fetchFile(folder, name) {
  const address = new URL(name, folder);
  address.search = new URL(folder).search;
  const response = await fetch(address).catch(() => {
    throw new Error('no reply');
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

/** @param {Record<string, Blob>} files @param {string} name */
async function unpackFile(files, name) {
  const file = files[name];
  if (!file) throw new Error('it is not in this file');
  return new Response(file.stream().pipeThrough(new DecompressionStream('gzip')));
}
