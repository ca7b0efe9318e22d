/**
 * Curves as an SVG: panels side by side, both axes logarithmic, since a size and what it costs span powers of ten.
 */

/** @typedef {{ title: string, curves: Record<string, [number, number][]> }} Panel points by the name of their curve; both numbers above 0 */

const [width, height, left, top, bottom, gap] = [300, 240, 46, 34, 40, 24];
/** Told apart by people who see few colours, on white and on black. */
const colours = ['#1b7fbd', '#d1631b', '#2f9e6a'];

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Powers of ten around some numbers. @param {number[]} numbers @returns {[number, number]} the exponents */
function decades(numbers) {
  const low = Math.floor(Math.log10(Math.min(...numbers)));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...numbers))))];
}

/** @param {number} exponent */
const power = (exponent) => (exponent >= 0 && exponent < 4 ? String(10 ** exponent) : `10^${exponent}`);

/** @param {Panel} panel @param {string} across @param {number} x where it stands */
function drawn({ title, curves }, across, x) {
  const points = Object.values(curves).flat();
  const [fromX, toX] = decades(points.map(([size]) => size));
  const [fromY, toY] = decades(points.map(([, value]) => value));
  const [inner, tall] = [width - left - 10, height - top - bottom];
  const atX = (/** @type {number} */ size) => left + ((Math.log10(size) - fromX) / (toX - fromX)) * inner;
  const atY = (/** @type {number} */ value) =>
    top + tall - ((Math.log10(value) - fromY) / (toY - fromY)) * tall;
  const parts = [`<text x="${left}" y="16" font-weight="600">${escaped(title)}</text>`];
  for (let exponent = fromX; exponent <= toX; exponent += 1) {
    const at = atX(10 ** exponent).toFixed(1);
    parts.push(`<path class="grid" d="M${at} ${top}V${top + tall}"/>`);
    parts.push(`<text x="${at}" y="${top + tall + 15}" text-anchor="middle">${power(exponent)}</text>`);
  }
  for (let exponent = fromY; exponent <= toY; exponent += 1) {
    const at = atY(10 ** exponent).toFixed(1);
    parts.push(`<path class="grid" d="M${left} ${at}H${left + inner}"/>`);
    parts.push(`<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${power(exponent)}</text>`);
  }
  parts.push(
    `<text x="${left + inner / 2}" y="${height - 8}" text-anchor="middle">${escaped(across)}</text>`,
  );
  for (const [at, [name, line]] of Object.entries(curves).entries()) {
    const colour = colours[at % colours.length];
    const path = line.map(([size, value]) => `${atX(size).toFixed(1)} ${atY(value).toFixed(1)}`).join('L');
    parts.push(`<path fill="none" stroke="${colour}" stroke-width="2" d="M${path}"/>`);
    for (const [size, value] of line)
      parts.push(
        `<circle cx="${atX(size).toFixed(1)}" cy="${atY(value).toFixed(1)}" r="3" fill="${colour}"><title>${escaped(name)}: ${value.toPrecision(3)} at ${size}</title></circle>`,
      );
    if (Object.keys(curves).length > 1)
      parts.push(`<text x="${left + 8}" y="${top + 14 + 15 * at}" fill="${colour}">${escaped(name)}</text>`);
  }
  return `<g transform="translate(${x} 0)">${parts.join('')}</g>`;
}

/** @param {string} across what the size is of @param {Panel[]} panels */
export function plotted(across, panels) {
  const all = panels.length * (width + gap) - gap;
  const style = 'text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd;stroke-width:1}';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all} ${height}" width="${all}" height="${height}">` +
    `<style>${style}</style><rect width="100%" height="100%" fill="#fff"/>` +
    `${panels.map((panel, at) => drawn(panel, across, at * (width + gap))).join('')}</svg>\n`
  );
}
