/**
 * Scrolling inside a pane.
 */

/** Pixels beside what is scrolled to. */
const margin = 24;

/**
 * Scrolls so that a place stands in the upper third of a pane, and sideways no further than it must.
 * @param {HTMLElement} pane
 * @param {Element | Range} place
 */
export function scrollTo(pane, place) {
  const [view, box] = [pane.getBoundingClientRect(), place.getBoundingClientRect()];
  pane.scrollTop += box.top - view.top - view.height / 3;
  if (box.left < view.left) pane.scrollLeft += box.left - view.left - margin;
  else if (box.right > view.right)
    pane.scrollLeft += Math.min(box.left - view.left, box.right - view.right) + margin;
}
