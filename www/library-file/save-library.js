/**
 * Saves the library as one file that the page opens again (`engine/packing.js`): how far it is, a way to stop, and what came of
 * it, in the foot of the library. It is loaded when it is first asked for.
 */

import { adopt } from '../dom/adopt.js';
import { el, fill } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { save } from '../dom/save.js';
import { pack } from '../engine/packing.js';
import { libraryFileStringsOf } from '../strings/library-file/index.js';
import { styles } from './save-library.styles.js';

/** @typedef {import('../engine/client.js').Engine} Engine */

const fileName = 'library.pincite';

/**
 * @typedef {object} SaveHost
 * @property {import('../strings/index.js').Strings} strings
 * @property {Engine} engine
 * @property {HTMLElement} foot of the library
 * @property {(text: string) => void} announce
 */

/** Saves all documents that can be searched. While it is at work, being asked again changes nothing. @param {SaveHost} host */
export async function saveLibrary({ strings, engine, foot, announce }) {
  const texts = libraryFileStringsOf(strings.lang);
  const panel = panelIn(foot, texts.label);
  if (panel.ariaBusy === 'true') return panel.querySelector('button')?.focus();
  const controller = new AbortController();
  const root = /** @type {ShadowRoot} */ (foot.getRootNode());
  const opener = root.activeElement;
  const told = el('p', {});
  const progress = el('progress', { 'aria-label': texts.label, max: 1, value: 0 });
  const cancel = el(
    'button',
    { type: 'button', class: 'quiet', onclick: () => controller.abort() },
    texts.cancel,
  );
  fill(panel, told, progress, cancel);
  panel.ariaBusy = 'true';
  const onProgress = (/** @type {number} */ done, /** @type {number} */ total) => {
    told.textContent = texts.progress(done, total);
    progress.value = total > 0 ? done / total : 1;
  };
  const outcome = await savedWith({ strings, engine, texts, signal: controller.signal, onProgress });
  const hadFocus = panel.contains(root.activeElement);
  panel.ariaBusy = null;
  fill(
    panel,
    el(
      'div',
      { class: `note ${outcome.isFault ? 'warning' : 'good'}` },
      ...outcome.lines.map((line, at) => el('p', at === 0 ? { class: 'strong' } : {}, line)),
    ),
    iconButton('close', texts.dismiss, () => {
      panel.remove();
      if (opener instanceof HTMLElement) opener.focus();
    }),
  );
  if (hadFocus) panel.querySelector('button')?.focus();
  announce(outcome.lines.join(' '));
  panel.scrollIntoView({ block: 'nearest' });
}

/**
 * @param {Pick<SaveHost, 'strings' | 'engine'> & { texts: import('../strings/library-file/index.js').LibraryFileStrings, signal: AbortSignal, onProgress: (done: number, total: number) => void }} work
 * @returns {Promise<{ isFault: boolean, lines: string[] }>} what is to be said
 */
async function savedWith({ strings, engine, texts, signal, onProgress }) {
  if (!globalThis.crypto?.subtle) return { isFault: true, lines: [texts.insecure] };
  const documents = engine.snapshot.documents.filter(({ problem }) => problem === null);
  const ids = documents.map(({ id }) => id);
  try {
    const { file, left } = await pack(ids, (id) => engine.stored(id), { signal, onProgress });
    const n = ids.length - left.length;
    if (n === 0) return { isFault: true, lines: [texts.nothing] };
    save(fileName, file, 'application/octet-stream');
    const lines = [texts.saved(fileName, n, strings.format.bytes(file.size)), texts.how, texts.trust];
    const names = documents.filter(({ id }) => left.includes(id)).map(({ name }) => name);
    if (left.length > 0) lines.push(texts.left(names));
    return { isFault: left.length > 0, lines };
  } catch (error) {
    if (signal.aborted) return { isFault: false, lines: [texts.cancelled] };
    return { isFault: true, lines: [texts.failed(error instanceof Error ? error.message : '')] };
  }
}

/** The part of the foot that this fills. @param {HTMLElement} foot @param {string} label */
function panelIn(foot, label) {
  const there = foot.querySelector('.library-file');
  if (there instanceof HTMLElement) return there;
  const panel = el('div', { class: 'library-file', role: 'group', 'aria-label': label });
  foot.append(panel);
  adopt(panel, styles);
  return panel;
}
