/**
 * A tree of titles, by the pattern of the ARIA practices: one stop for the Tab key, arrows between rows and levels, Home and
 * End, and letters that go to the next title that begins with them. Only rows that are unfolded are in the page.
 */

import { comparable, fold } from './fold.js';
import { el } from './elements.js';
import { actionOf } from './keys.js';

/** @typedef {{ title: string, level: number }} TreeEntry levels from 1; one that is skipped counts for nothing */

/**
 * @typedef {object} TreeNode
 * @property {TreeEntry} entry
 * @property {number} depth from 1
 * @property {TreeNode | null} parent
 * @property {TreeNode[]} children
 * @property {HTMLElement | null} row
 */

/** Entries that are unfolded at first; a longer tree shows its outermost level. */
const unfolded = 150;
/** Milliseconds between two letters of one word. */
const pause = 700;

/** @template {TreeEntry} E */
export class Tree {
  element;
  #onChoose;
  /** @type {TreeNode[]} */
  #nodes = [];
  /** @type {TreeNode[]} */
  #roots = [];
  /** @type {Set<TreeNode>} */
  #open = new Set();
  /** The row that the Tab key goes to. @type {TreeNode | null} */
  #active = null;
  /** @type {TreeNode | null} */
  #chosen = null;
  #typed = '';
  #typedAt = 0;

  /** @param {string} label @param {(entry: E) => void} onChoose */
  constructor(label, onChoose) {
    this.#onChoose = onChoose;
    this.element = el('div', { class: 'tree', role: 'tree', 'aria-label': label });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('click', (event) => this.#click(event));
  }

  /** @param {readonly E[]} entries in their order */
  show(entries) {
    this.#nodes = [];
    this.#roots = [];
    /** @type {TreeNode[]} */
    const path = [];
    for (const entry of entries) {
      while ((path.at(-1)?.entry.level ?? 0) >= entry.level) path.pop();
      const parent = path.at(-1) ?? null;
      const node = { entry, depth: path.length + 1, parent, children: [], row: null };
      (parent?.children ?? this.#roots).push(node);
      this.#nodes.push(node);
      path.push(node);
    }
    const isShort = entries.length <= unfolded;
    this.#open = new Set(isShort ? this.#nodes : this.#roots.length === 1 ? this.#roots : []);
    this.#active = this.#roots[0] ?? null;
    this.#chosen = null;
    this.#draw();
  }

  focus() {
    this.#active?.row?.focus();
  }

  #draw() {
    const shown = this.#shown;
    const rows = shown.map((node) => (node.row ??= this.#row(node)));
    for (const node of shown) {
      if (node.children.length > 0) node.row?.setAttribute('aria-expanded', String(this.#open.has(node)));
      if (node.row) node.row.tabIndex = node === this.#active ? 0 : -1;
    }
    this.element.replaceChildren(...rows);
  }

  /** The nodes whose ancestors are all unfolded. */
  get #shown() {
    /** @type {Set<TreeNode>} */
    const shown = new Set();
    for (const node of this.#nodes)
      if (node.parent === null || (shown.has(node.parent) && this.#open.has(node.parent))) shown.add(node);
    return [...shown];
  }

  /** @param {TreeNode} node */
  #row(node) {
    const siblings = node.parent?.children ?? this.#roots;
    const row = el(
      'div',
      {
        class: 'tree-row',
        role: 'treeitem',
        'aria-level': node.depth,
        'aria-setsize': siblings.length,
        'aria-posinset': siblings.indexOf(node) + 1,
        title: node.entry.title,
      },
      el('span', { class: 'tree-twisty', 'aria-hidden': 'true' }),
      el('span', { class: 'tree-title', dir: 'auto' }, node.entry.title),
    );
    row.style.setProperty('--depth', String(node.depth - 1));
    return row;
  }

  /** @param {TreeNode | undefined | null} node */
  #go(node) {
    if (!node) return;
    if (this.#active?.row) this.#active.row.tabIndex = -1;
    this.#active = node;
    if (node.row) node.row.tabIndex = 0;
    node.row?.focus();
  }

  /** @param {TreeNode} node @param {boolean} open */
  #unfold(node, open) {
    if (node.children.length === 0) return;
    if (open) this.#open.add(node);
    else this.#open.delete(node);
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    this.#draw();
    // Rows that stay are put back, and lose the focus on the way.
    if (activeElement instanceof HTMLElement && this.element.contains(activeElement)) activeElement.focus();
  }

  /** @param {TreeNode} node */
  #choose(node) {
    this.#chosen?.row?.removeAttribute('aria-current');
    this.#chosen = node;
    node.row?.setAttribute('aria-current', 'true');
    this.#go(node);
    this.#onChoose(/** @type {E} */ (node.entry));
  }

  /** @param {Event} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest('.tree-row');
    const node = row && this.#nodes.find((each) => each.row === row);
    if (!node) return;
    if (!target?.closest('.tree-twisty') || node.children.length === 0) return this.#choose(node);
    this.#go(node);
    this.#unfold(node, !this.#open.has(node));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const node = this.#active;
    if (!node) return;
    const isOpen = this.#open.has(node);
    const shown = this.#shown;
    const at = shown.indexOf(node);
    // A space within a word that is being typed belongs to it.
    const isTyping = this.#typed !== '' && performance.now() - this.#typedAt < pause;
    const typeAhead = () => this.#type(event.key, shown, at);
    const actions = {
      nextRow: () => this.#go(shown[at + 1]),
      previousRow: () => this.#go(shown[at - 1]),
      unfold: () => (isOpen ? this.#go(node.children[0]) : this.#unfold(node, true)),
      fold: () => (isOpen && node.children.length > 0 ? this.#unfold(node, false) : this.#go(node.parent)),
      firstRow: () => this.#go(shown[0]),
      lastRow: () => this.#go(shown.at(-1)),
      openRow: () => (isTyping && event.key === ' ' ? typeAhead() : this.#choose(node)),
      typeAhead,
    };
    const action = actionOf('sections', event);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  /** Goes to the next title that begins with what was typed. @param {string} letter @param {TreeNode[]} shown @param {number} at */
  #type(letter, shown, at) {
    const now = performance.now();
    this.#typed = (now - this.#typedAt < pause ? this.#typed : '') + letter;
    this.#typedAt = now;
    const typed = plain(this.#typed);
    // The row at hand may go on to match a longer word, and is the last to match a single letter.
    const from = typed.length > 1 ? at : at + 1;
    const order = [...shown.slice(from), ...shown.slice(0, from)];
    this.#go(order.find(({ entry }) => plain(entry.title).startsWith(typed)));
  }
}

/** @param {string} text */
const plain = (text) => comparable(fold(text).text, false);
