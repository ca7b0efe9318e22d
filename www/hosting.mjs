/**
 * What a host does for the site: types of files, headers, how long each address may be cached, what is worth compressing.
 * `serve.mjs` follows it, and the build writes it down for whoever runs another host (`HOSTING.txt`).
 */

/** Types by the ending of a name. @type {Readonly<Record<string, string>>} */
export const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Headers of every reply, besides its type, its policy and how long it may be kept. */
export const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const forGood = 'max-age=31536000, immutable';
const askAgain = 'no-cache';

/** Addresses whose content never changes: with a build's id, named by their own hash, or below a version of pdf.js. @param {string} address path and query */
export const isImmutable = (address) =>
  /\?v=[0-9a-f]{16}$/.test(address) ||
  /\/(chunks\/[^/?]+-[0-9A-Z]{8}\.js|viewer\/\d[\d.]*\/.+)$/.test(address);

/** Header `cache-control` of an address. @param {string} address path and query */
export const cacheControl = (address) => (isImmutable(address) ? forGood : askAgain);

/** The policy of a page, as its meta element states it. @param {string} html */
export function policyOf(html) {
  return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? null;
}

/** Endings of files that brotli or gzip make smaller; the weights of the model lose a third, images nothing. */
const compressible = [
  '.html',
  '.js',
  '.mjs',
  '.css',
  '.json',
  '.webmanifest',
  '.wasm',
  '.txt',
  '.svg',
  '.onnx',
];

/**
 * The checklist for whoever hosts the site.
 * @param {string} policy of its page
 * @param {string} build
 */
export function checklist(policy, build) {
  const lines = Object.entries(types).map(([ending, type]) => `     ${ending.padEnd(13)} ${type}`);
  return `Hosting Pincite, build ${build}

The folder is all there is: any static host serves it, at any path. Nothing runs on the server.

[ ] 1. HTTPS. Without it (other than on localhost) browsers give a page no service worker, so it does not open without a
     network, cannot be installed, and its tabs do not wait for each other.

[ ] 2. Types. Scripts under another type are refused; .wasm under another starts more slowly.
${lines.join('\n')}
     Everything else may be application/octet-stream.

[ ] 3. Headers, on every reply:
${Object.entries(headers)
  .map(([name, value]) => `     ${name}: ${value}`)
  .join('\n')}
     content-security-policy:
       ${policy.split('; ').join(';\n       ')}
     The page states this policy itself. Sent as a header it holds for workers too, and may be stricter: in connect-src
     leave 'self' alone where nobody is to use a language model or a library on a server, or add the one server.
     frame-ancestors, which a page cannot state itself, says who may show it in a frame. No other header is needed;
     COOP and COEP do no harm.

[ ] 4. Caching.
     cache-control: ${forGood}
       for addresses that end with ?v= and the build's id, for chunks/ and for viewer/ with a version behind it.
     cache-control: ${askAgain}
       for everything else: index.html, service-worker.js, manifest.webmanifest above all. With no-store the site works
       too, and is loaded twice at the first visit.
     Do not drop the query in the key of a cache or CDN.

[ ] 5. Compression: brotli, else gzip, for ${compressible.join(' ')}.
     The engine is 6 MB as it lies here, 2.4 MB by gzip and 1.9 by brotli; the encoder 15, 3.5 and 2.4; the weights 24,
     16 and 15.5; llama.wasm, which is loaded by those who open a model file, 8.8 MB and 2.4 by gzip.

[ ] 6. Files as they are. The service worker compares each with the hash of this build: a host that minifies, or adds a
     script to pages, keeps the site from opening without a network. The settings of the page then name the file.
     sha256sum --check SHA256SUMS tells whether the folder is whole.

[ ] 7. A new version: put the new files first and index.html and service-worker.js last, or exchange the folder at once.
     A change of headers reaches those who have the page with the next build, since the page is kept with its headers.

[ ] 8. Refuse POST (405), and write no bodies to logs. Files shared with the installed app are posted to share and taken
     by the service worker; where a person has deleted it, such a post would come here.
`;
}
