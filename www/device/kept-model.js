/**
 * The model file that a person opened, kept in this browser with the program that runs it: in the origin's private file
 * system, or, where the browser gives that to no page of this kind (`file://`), in IndexedDB. One model is kept at a time; it
 * is there whole or not at all.
 */

import { openDatabase, settled, transact } from '../engine/idb.js';

/**
 * @typedef {object} KeptModel
 * @property {string} name of the file, or of the first of its parts
 * @property {File[]} files parts in their order
 * @property {Blob} runtime the program
 */

/** @typedef {(bytes: number) => void} OnStored told how much has been stored */

/**
 * @typedef {object} Store
 * @property {() => Promise<KeptModel | null>} read
 * @property {(model: KeptModel, onStored: OnStored, signal: AbortSignal) => Promise<void>} write in the place of the one before
 * @property {() => Promise<void>} clear
 */

const folderName = 'pincite-model';
const listName = 'model.json';
const runtimeName = 'llama.wasm';

/** Store of this page. @returns {Promise<Store>} */
export async function modelStore() {
  try {
    return inFiles(await navigator.storage.getDirectory());
  } catch {
    return inDatabase();
  }
}

/** @param {FileSystemDirectoryHandle} root @returns {Store} */
function inFiles(root) {
  const clear = () => root.removeEntry(folderName, { recursive: true }).catch(ifMissing);
  return {
    read: async () => {
      try {
        const folder = await root.getDirectoryHandle(folderName);
        const file = async (/** @type {string} */ name) => (await folder.getFileHandle(name)).getFile();
        const { name, parts } = JSON.parse(await (await file(listName)).text());
        const files = await Promise.all(parts.map(file));
        return { name, files, runtime: await file(runtimeName) };
      } catch {
        return null; // none, or one that was not stored to its end
      }
    },
    write: async ({ name, files, runtime }, onStored, signal) => {
      await clear();
      const folder = await root.getDirectoryHandle(folderName, { create: true });
      const put = async (
        /** @type {string} */ name,
        /** @type {Blob} */ blob,
        /** @type {OnStored} */ told,
      ) => {
        const handle = await folder.getFileHandle(name, { create: true });
        await blob
          .stream()
          .pipeThrough(counting(told))
          .pipeTo(await handle.createWritable(), { signal });
      };
      let before = 0;
      for (const [at, file] of files.entries()) {
        await put(`${at}.gguf`, file, (bytes) => onStored(before + bytes));
        before += file.size;
      }
      await put(runtimeName, runtime, () => {});
      const list = JSON.stringify({ name, parts: files.map((_, at) => `${at}.gguf`) });
      // Last: without it there is no model.
      await put(listName, new Blob([list]), () => {});
    },
    clear,
  };
}

/** @returns {Store} */
function inDatabase() {
  const table = 'model';
  const open = () => openDatabase(folderName, 1, (database) => void database.createObjectStore(table));
  /** @template T @param {IDBTransactionMode} mode @param {(table: IDBObjectStore) => IDBRequest<T>} ask @param {AbortSignal} [signal] */
  const run = async (mode, ask, signal) => {
    const database = await open();
    try {
      return await transact(
        database,
        [table],
        mode,
        (transaction) => settled(ask(transaction.objectStore(table))),
        signal,
      );
    } finally {
      database.close();
    }
  };
  return {
    read: () => run('readonly', (models) => models.get(0)).then((kept) => kept ?? null),
    write: async (model, _onStored, signal) => {
      await run('readwrite', (models) => models.put(model, 0), signal);
    },
    clear: () => run('readwrite', (models) => models.clear()),
  };
}

/** @param {OnStored} told @returns {TransformStream<Uint8Array, Uint8Array>} */
function counting(told) {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.length;
      told(bytes);
      controller.enqueue(piece);
    },
  });
}

/** @param {unknown} error */
function ifMissing(error) {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
}
