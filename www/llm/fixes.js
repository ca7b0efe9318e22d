/**
 * What to do about a server that does not answer a page: a table of the common ones, known by their ports, since
 * of an answer that the browser hides nothing else can be seen.
 */

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} port
 * @property {(origin: string) => string} cors how to let a page of this origin read its answers
 * @property {string} start how to start it
 */

/** @type {readonly Server[]} */
const servers = [
  {
    name: 'Ollama',
    port: '11434',
    cors: (origin) =>
      `quit Ollama and start it with OLLAMA_ORIGINS="${origin === 'null' ? '*' : origin}" ollama serve (macOS app: launchctl setenv OLLAMA_ORIGINS "${origin === 'null' ? '*' : origin}", Windows: the same name as an environment variable, then restart it)`,
    start: 'start it with `ollama serve`',
  },
  {
    name: 'LM Studio',
    port: '1234',
    cors: () =>
      'switch on “Enable CORS” in Developer → Server Settings, or start it with `lms server start --cors`',
    start: 'start its server in the Developer tab, or with `lms server start --cors`',
  },
  {
    name: 'vLLM',
    port: '8000',
    cors: (origin) => `start it with vllm serve MODEL --allowed-origins '["${origin}"]'`,
    start: 'start it with `vllm serve MODEL`',
  },
  {
    name: 'llama.cpp',
    port: '8080',
    cors: (origin) =>
      `llama-server allows every page unless told otherwise: start it with --cors-origins ${origin === 'null' ? "'*'" : origin}, and look for a proxy in between`,
    start: 'start it with `llama-server -m MODEL.gguf --port 8080`',
  },
];

/** The name of the program that usually has this port; empty for others. @param {URL} url */
export function serverOf(url) {
  return servers.find(({ port }) => port === url.port)?.name ?? '';
}

/**
 * @param {URL} url
 * @param {string} origin of the page; `null` of a file
 */
export function corsFix(url, origin) {
  const known = servers.find(({ port }) => port === url.port);
  const file =
    origin === 'null'
      ? ' This page was opened from a file, whose origin is “null”; served over http (./build.sh serve) it can be allowed by name.'
      : '';
  if (known)
    return `If this is ${known.name}: ${known.cors(origin)}. If it does that already, check the key: some servers do not send the permission along when they refuse one.${file}`;
  if (url.protocol === 'https:') {
    return `Whoever runs the server must allow the origin ${origin} (Access-Control-Allow-Origin, and the headers authorization and content-type in Access-Control-Allow-Headers). Hosted services often allow no page: put a gateway of your own in front.${file}`;
  }
  return `Allow the origin ${origin} in the server. ${servers.map(({ name, cors }) => `${name}: ${cors(origin)}.`).join(' ')}${file}`;
}

/** @param {URL} url */
export function startFix(url) {
  const known = servers.find(({ port }) => port === url.port);
  return known
    ? `Is ${known.name} running? If not, ${known.start}.`
    : 'Is the server running, and are host and port right?';
}
