/** Style sheets of what is loaded when it is asked for. */

/** Adopts a style sheet in the shadow tree that an element is in, once. @param {Element} element @param {CSSStyleSheet} sheet */
export function adopt(element, sheet) {
  const root = element.getRootNode();
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets.push(sheet);
}
