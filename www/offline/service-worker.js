/**
 * The service worker of the static page. It keeps the site as a whole, so that it opens without a network, and answers each
 * page with the files of its own build.
 *
 * A build is a list of paths with their SHA-256 (`files`, written in by the build). The files lie in one cache, each under
 * its path and hash. So whatever two builds have in common is there once, above all the model, and an update loads only what
 * has changed. A build is installed when each of its files has been loaded and checked; until then, or when one fails, the
 * one before is in use. Pages have their build's id in the addresses that they ask for. The list of an earlier build goes
 * when no page holds its lock, and with it the files that no list names.
 *
 * Files that are shared with the installed app are posted to an address of the site. The post ends here, and the files wait in
 * memory until the page that opens takes them: they are neither sent nor stored.
 *
 * By hand, not by Workbox: its precache drops the files of the build before when the new one is activated, though a page in
 * another tab may still ask for them, and it has one copy of the model for each build that is there.
 */

import { sha256 } from '../engine/sha256.js';
import { build } from '../engine/protocol.js';
import { files } from './files-of-build.js';
import { lockOf, shareTarget } from './messages.js';

/** @typedef {import('./messages.js').ToServiceWorker} ToServiceWorker */
/** @typedef {import('./messages.js').FromServiceWorker} FromServiceWorker */
/** @typedef {import('./messages.js').KeepingFailure} KeepingFailure */

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const folder = scope.registration.scope;
const cacheName = `pincite ${folder}`;
/** Files that are loaded at a time. */
const lanes = 6;
/** Time that shared files wait for a page, in milliseconds. */
const sharedWait = 60_000;
/** Files that were shared and that no page has taken. @type {File[]} */
let shared = [];
/** Ends the wait for a page. */
let taken = () => {};

/** @param {string} path @param {string} hash */
const entryOf = (path, hash) => new URL(`${encodeURI(path)}?sha256=${hash}`, folder).href;
/** Address of the list of a build that is kept. @param {string} id */
const listOf = (id) => new URL(`files.json?build=${id}`, folder).href;

class NotKept extends Error {
  /** @param {KeepingFailure} why @param {string} file */
  constructor(why, file) {
    super(`${file} cannot be kept: ${why}`);
    this.why = why;
    this.file = file;
  }
}

scope.addEventListener('install', (event) => event.waitUntil(alone(install)));
scope.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const asked = partsOf(url);
  if (method === 'GET' && asked !== null) event.respondWith(answer(event.request, asked));
  else if (method === 'POST' && url === new URL(shareTarget.path, folder).href)
    event.respondWith(receive(event));
});
scope.addEventListener('message', (event) => {
  const { type } = /** @type {ToServiceWorker} */ (event.data);
  if (type === 'take-over') event.waitUntil(scope.skipWaiting());
  else if (type === 'opened') {
    if (shared.length > 0)
      event.source?.postMessage(/** @type {FromServiceWorker} */ ({ type: 'shared', files: shared }));
    shared = [];
    taken();
    event.waitUntil(alone(tidy));
  }
});

/** Takes in what was shared, and leads to the page. @param {FetchEvent} event */
async function receive(event) {
  const form = await event.request.formData().catch(() => new FormData());
  shared.push(...form.getAll(shareTarget.name).filter((each) => each instanceof File));
  // As long as this is awaited, the browser does not end this worker.
  event.waitUntil(
    new Promise((resolve) => {
      taken = () => resolve(undefined);
      setTimeout(taken, sharedWait);
    }),
  );
  return Response.redirect(folder, 303);
}

/** Installing and tidying never run at the same time. @param {() => Promise<void>} work */
function alone(work) {
  return scope.navigator.locks.request(`pincite:site:${folder}`, work);
}

/** Loads what is missing of this build. What has come stays when one file fails, and is not loaded again. */
async function install() {
  /** @type {Cache | null} */
  let cache = null;
  try {
    cache = await caches.open(cacheName);
    const open = cache;
    const left = Object.entries(files);
    const lane = async () => {
      for (let next = left.pop(); next; next = left.pop()) await keep(open, ...next);
    };
    const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    await cache.put(listOf(build), Response.json(files));
  } catch (error) {
    const failure = failureOf(error);
    if (cache && failure.why === 'no-space') await sweep(cache, await buildsIn(cache));
    await tell({ type: 'not-kept', why: failure.why, file: failure.file });
    throw error;
  }
}

/** @param {Cache} cache @param {string} path @param {string} hash */
async function keep(cache, path, hash) {
  if (await cache.match(entryOf(path, hash))) return;
  await cache.put(entryOf(path, hash), await load(path, hash, build));
}

/** A file of a build from the network, checked. @param {string} path @param {string} hash @param {string} id */
async function load(path, hash, id) {
  // What the page has loaded a moment ago is not loaded again where the host lets the browser keep it.
  const response = await fetch(new URL(`${encodeURI(path)}?v=${id}`, folder), { cache: 'no-cache' }).catch(
    () => null,
  );
  if (!response?.ok) throw new NotKept('unreachable', path);
  const body = await response.blob().catch(() => null);
  if (body === null) throw new NotKept('unreachable', path);
  if ((await sha256(body)) !== hash) throw new NotKept('other-file', path);
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  return new Response(body, { headers });
}

/**
 * Path and build of a file of the site; null for an address that is none of ours.
 * @param {string} url
 */
function partsOf(url) {
  const { href, origin, pathname, searchParams } = new URL(url);
  if (!href.startsWith(folder)) return null;
  const path = decoded((origin + pathname).slice(folder.length)) || 'index.html';
  const id = searchParams.get('v');
  // Files without a build in their address: the page, those named by their own hash, and the data of a version of pdf.js.
  const isOurs = Object.hasOwn(files, path) || id !== null || /^(chunks|viewer)\//.test(path);
  return isOurs ? { path, id } : null;
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @param {Request} request @param {{ path: string, id: string | null }} asked @returns {Promise<Response>} */
async function answer(request, { path, id }) {
  const cache = await caches.open(cacheName).catch(() => null);
  const hash = await hashOf(cache, path, id);
  if (hash === null) return fetch(request);
  const kept = await cache?.match(entryOf(path, hash));
  if (kept) return kept;
  // The browser has lost it. It is loaded again: the same file or none.
  const response = await load(path, hash, id ?? build);
  await cache?.put(entryOf(path, hash), response.clone()).catch(() => {});
  return response;
}

/** Hash of a file in the build that asks for it; null where that is not known here. @param {Cache | null} cache @param {string} path @param {string | null} id */
async function hashOf(cache, path, id) {
  if ((id === null || id === build) && Object.hasOwn(files, path)) return files[path] ?? null;
  if (cache === null) return null;
  for (const other of id === null ? await buildsIn(cache) : [id]) {
    const hash = (await filesOf(cache, other))[path];
    if (hash !== undefined) return hash;
  }
  return null;
}

/** Builds that are kept whole. @param {Cache} cache */
async function buildsIn(cache) {
  const lists = (await cache.keys()).filter(({ url }) => url.startsWith(listOf('')));
  return lists.map(({ url }) => new URL(url).searchParams.get('build') ?? '');
}

/** @param {Cache} cache @param {string} id @returns {Promise<Readonly<Record<string, string>>>} */
async function filesOf(cache, id) {
  return id === build ? files : ((await (await cache.match(listOf(id)))?.json()) ?? {});
}

/** Deletes what no page needs: neither this build, nor one that is open in another tab or about to take over. */
async function tidy() {
  if (scope.registration.installing || scope.registration.waiting) return;
  const cache = await caches.open(cacheName);
  const needed = [build];
  for (const id of (await buildsIn(cache)).filter((each) => each !== build)) {
    const isFree = await scope.navigator.locks.request(
      lockOf(folder, id),
      { ifAvailable: true },
      (lock) => lock !== null,
    );
    if (!isFree) needed.push(id);
  }
  await sweep(cache, needed);
}

/** Deletes whatever does not belong to one of these builds. @param {Cache} cache @param {string[]} builds */
async function sweep(cache, builds) {
  const needed = new Set(builds.map(listOf));
  for (const id of builds)
    for (const [path, hash] of Object.entries(await filesOf(cache, id))) needed.add(entryOf(path, hash));
  for (const { url } of await cache.keys()) if (!needed.has(url)) await cache.delete(url);
}

/** @param {unknown} error @returns {{ why: KeepingFailure, file: string }} */
function failureOf(error) {
  if (error instanceof NotKept) return error;
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { why: isFull ? 'no-space' : 'refused', file: '' };
}

/** @param {FromServiceWorker} message to every page of the site */
async function tell(message) {
  const pages = await scope.clients.matchAll({ includeUncontrolled: true, type: 'window' });
  for (const page of pages) page.postMessage(message);
}
