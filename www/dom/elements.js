/**
 * Elements made in one expression. Text is always a text node: neither the name nor the content of a file can become
 * markup. Styles are set one by one through the CSSOM, which the policy allows.
 */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [props] `class`, `on…` listeners, `aria-…` and other attributes with a dash
 *   or in `attributes`, else properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name === 'class') element.className = String(value);
    else if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name.includes('-') || attributes.has(name)) element.setAttribute(name, String(value));
    else Reflect.set(element, name, value);
  }
  element.append(...kept(children));
  return element;
}

const attributes = new Set(['role', 'part', 'for', 'autocomplete', 'lang', 'list']);

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
}

/** @param {Child[]} children */
function kept(children) {
  return /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
}
