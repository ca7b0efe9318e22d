/**
 * The static page as an app: it has a service worker keep the site, follows how that goes, hears of a new version, and takes
 * files that are opened with the installed app or shared with it.
 * Nothing here is needed: where the browser refuses, the page works from the network as any other. A widget in a page of
 * someone else's has no service worker, nor has the page in one file, where `single/site.js` takes this module's place.
 */

import { build } from '../engine/protocol.js';
import { startServiceWorker } from '../engine/start-worker.js';
import { takeLaunches } from './launch.js';
import { lockOf } from './messages.js';

/** @typedef {import('./messages.js').FromServiceWorker} FromServiceWorker */
/** @typedef {import('./messages.js').KeepingFailure} KeepingFailure */
/** @typedef {import('./messages.js').ToServiceWorker} ToServiceWorker */

/**
 * @typedef {object} SiteState
 * @property {boolean} isKept a version is stored: the page opens without a network
 * @property {KeepingFailure | null} failure why this version could not be stored or, where one is, a newer one
 * @property {string} file the one that failed; empty where it is about none
 * @property {boolean} isUpdateReady another version is there, whole
 * @property {readonly string[]} unreadable names of files that were opened with the app and cannot be read
 */

/** Time between two looks for a new version, in milliseconds, while the page stays open. */
const lookEvery = 3_600_000;

export class KeptSite extends EventTarget {
  #folder;
  /** @type {ServiceWorkerRegistration | null} */
  #registration = null;
  /** @type {Pick<SiteState, 'failure' | 'file'>} */
  #failed = { failure: null, file: '' };
  /** True if another version answers this page already: it was taken in another tab. */
  #isReplaced = false;
  #lookedAt = Date.now();
  /** @type {string[]} */
  #unreadable = [];
  /** @type {(files: File[]) => void} */
  #onFiles = () => {};

  /** @param {URL} folder the site's */
  constructor(folder) {
    super();
    this.#folder = folder;
    void hold(lockOf(folder.href, build));
  }

  /** @returns {SiteState} */
  get state() {
    const { active = null, waiting = null } = this.#registration ?? {};
    return {
      isKept: active !== null,
      ...this.#failed,
      isUpdateReady: this.#isReplaced || (active !== null && waiting !== null),
      unreadable: this.#unreadable,
    };
  }

  /**
   * Has the site kept. To be called when the page no longer needs the network for itself, and can take files.
   * @param {(files: File[]) => void} onFiles that come from outside the page
   */
  async open(onFiles) {
    this.#onFiles = onFiles;
    takeLaunches(onFiles, (names) => {
      this.#unreadable = names;
      this.#changed();
    });
    const { serviceWorker } = navigator;
    if (!serviceWorker) return this.#fail('refused');
    serviceWorker.addEventListener('message', ({ data }) => this.#hear(data));
    serviceWorker.startMessages();
    const wasControlled = serviceWorker.controller !== null;
    serviceWorker.addEventListener('controllerchange', () => {
      this.#isReplaced = wasControlled;
      this.#changed();
    });
    try {
      this.#follow(await startServiceWorker(this.#folder));
    } catch {
      return this.#fail('refused');
    }
    document.addEventListener('visibilitychange', () => this.#look());
    serviceWorker.controller?.postMessage(/** @type {ToServiceWorker} */ ({ type: 'opened' }));
  }

  /** Reloads this page with the new version. Others keep theirs until they are reloaded. */
  update() {
    const waiting = this.#registration?.waiting;
    if (!waiting) return location.reload();
    waiting.addEventListener('statechange', () => {
      if (waiting.state === 'activated') location.reload();
    });
    waiting.postMessage(/** @type {ToServiceWorker} */ ({ type: 'take-over' }));
  }

  /** @param {ServiceWorkerRegistration} registration */
  #follow(registration) {
    this.#registration = registration;
    const listen = () => {
      const { installing } = registration;
      if (!installing) return;
      this.#failed = { failure: null, file: '' };
      installing.addEventListener('statechange', () => {
        // It has said why, unless it could not even be started.
        if (installing.state === 'redundant' && this.#failed.failure === null) this.#fail('refused');
        this.#changed();
      });
    };
    registration.addEventListener('updatefound', listen);
    listen();
    this.#changed();
  }

  /** @param {FromServiceWorker} message */
  #hear(message) {
    if (message.type === 'not-kept') this.#fail(message.why, message.file);
    else this.#onFiles(message.files);
  }

  /** @param {KeepingFailure} failure @param {string} [file] */
  #fail(failure, file = '') {
    this.#failed = { failure, file };
    this.#changed();
  }

  /** Looks for a new version when a person comes back to the page after a while. */
  #look() {
    if (document.hidden || Date.now() - this.#lookedAt < lookEvery) return;
    this.#lookedAt = Date.now();
    // Without a network there is none to be found.
    this.#registration?.update().catch(() => {});
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** The site around this page, to be kept. @returns {KeptSite | null} */
export const keptSite = () => new KeptSite(new URL('./', document.baseURI));

/** Holds a lock until the page is closed. @param {string} name */
async function hold(name) {
  const locks = /** @type {LockManager | undefined} */ (navigator.locks);
  await locks?.request(name, { mode: 'shared' }, () => new Promise(() => {})).catch(() => {});
}
