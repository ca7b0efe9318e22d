/** The page of pictures: for each task, Pincite and the peers at the state in which the task ended. */

/** @typedef {{ product: string, file: string, caption: string }} Picture */
/** @typedef {{ task: string, question: string, pictures: Picture[] }} Section */

const style = `
body { max-width: 96rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { font-family: Georgia, serif; line-height: 1.25; }
h2 { margin: 3rem 0 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.25rem 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(32rem, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 1rem 0 0; }
figcaption { margin-bottom: 0.5rem; }
figcaption b { display: block; }
img { display: block; width: 100%; height: auto; border: 1px solid #8886; border-radius: 6px; }
a:focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }`;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param {Section[]} sections @param {string} note of what is not in pictures */
export function pageOf(sections, note) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>Pincite beside its peers</title>
<style>${style}
</style>
</head>
<body>
<h1>Pincite beside its peers</h1>
<p>Five tasks of a new user with the three sample documents, 1280 × 760 pixels; each picture is the state in which a task
ended, and opens in its full size. The figures, and how they are counted, are in <code>tests/bench/beside.md</code>.</p>
<p>${escaped(note)}</p>
<nav aria-label="Tasks"><ul>
${sections.map(({ task }, idx) => `<li><a href="#task-${idx + 1}">${escaped(task)}</a></li>`).join('\n')}
</ul></nav>
<main>
${sections.map(sectionOf).join('\n')}
</main>
</body>
</html>
`;
}

/** @param {Section} section @param {number} idx */
function sectionOf({ task, question, pictures }, idx) {
  return `<section aria-labelledby="task-${idx + 1}">
<h2 id="task-${idx + 1}">${escaped(task)}</h2>
${question && `<p>“${escaped(question)}”</p>\n`}<div class="pair">
${pictures.map(figureOf).join('\n')}
</div>
</section>`;
}

/** @param {Picture} picture */
function figureOf({ product, file, caption }) {
  return `<figure><figcaption><b>${escaped(product)}</b>${escaped(caption)}</figcaption>
<a href="${file}"><img src="${file}" width="1280" height="760" loading="lazy" alt="${escaped(product)} at the end of the task"></a></figure>`;
}
