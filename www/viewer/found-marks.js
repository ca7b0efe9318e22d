/**
 * Marks on found words, by the CSS Custom Highlight API: ranges of the text itself, so that neither the pages nor the text
 * change. All viewers of a page share two highlights, which the style sheet names. A browser without the API
 * (Firefox before 140) still scrolls from match to match.
 */

const names = { all: 'pincite-found', current: 'pincite-found-current' };

/** The highlight of a name, registered with its first use. @param {string} name */
function highlight(name) {
  const { highlights } = CSS;
  if (!highlights) return null;
  const known = highlights.get(name) ?? new Highlight();
  highlights.set(name, known);
  return known;
}

export class FoundMarks {
  /** Ranges of each part of the document. @type {Map<number, Range[]>} */
  #ranges = new Map();
  /** @type {Range | null} */
  #current = null;

  /** Marks matches in a part, in the place of those that it had. @param {number} part @param {Range[]} ranges */
  set(part, ranges) {
    const all = highlight(names.all);
    for (const range of this.#ranges.get(part) ?? []) all?.delete(range);
    for (const range of ranges) all?.add(range);
    if (ranges.length > 0) this.#ranges.set(part, ranges);
    else this.#ranges.delete(part);
  }

  /** Marks one of them as the current one, or none. @param {Range | null} range */
  setCurrent(range) {
    const current = highlight(names.current);
    if (current) current.priority = 1;
    if (this.#current) current?.delete(this.#current);
    if (range) current?.add(range);
    this.#current = range;
  }

  /** Parts that have marks. */
  get parts() {
    return [...this.#ranges.keys()];
  }

  clear() {
    for (const part of this.parts) this.set(part, []);
    this.setCurrent(null);
  }
}
