/**
 * Findings of the connection check in English, what was found and what to do, and the shape that every language has. They are
 * apart from the other strings, since they are loaded with the check.
 */

/** The servers of `llm/servers.js`: how to start one, and how to let it answer this page. */
const servers = {
  ollama: {
    name: 'Ollama',
    /** @param {string} origin */
    cors: (origin) =>
      `quit Ollama and start it with OLLAMA_ORIGINS="${origin}" ollama serve (macOS app: launchctl setenv OLLAMA_ORIGINS "${origin}", Windows: the same name as an environment variable, then restart it)`,
    start: 'start it with `ollama serve`',
  },
  'lm-studio': {
    name: 'LM Studio',
    cors: () =>
      'switch on “Enable CORS” in Developer → Server Settings, or start it with `lms server start --cors`',
    start: 'start its server in the Developer tab, or with `lms server start --cors`',
  },
  vllm: {
    name: 'vLLM',
    /** @param {string} origin */
    cors: (origin) => `start it with vllm serve MODEL --allowed-origins '["${origin}"]'`,
    start: 'start it with `vllm serve MODEL`',
  },
  'llama.cpp': {
    name: 'llama.cpp',
    /** @param {string} origin */
    cors: (origin) =>
      `llama-server allows every page by default: start it with --cors-origins ${origin === '*' ? "'*'" : origin}, and look for a proxy in between`,
    start: 'start it with `llama-server -m MODEL.gguf --port 8080`',
  },
};

/** @typedef {import('../../llm/servers.js').ServerId} ServerId */

/** Setting by which a server answers this page. @param {import('../../llm/check.js').FindingValues} values */
function allowing({ server, page, isSecure }) {
  const file =
    page === 'null'
      ? ' This page was opened from a file, whose origin is “null”; served over http (./build.sh serve) it can be allowed by name.'
      : '';
  /** @param {typeof servers[ServerId]} known */
  const how = (known) => known.cors(page === 'null' && known !== servers.vllm ? '*' : page);
  if (server !== null) {
    return `If this is ${servers[server].name}: ${how(servers[server])}. If it does that already, check the key: some servers do not send the permission along when they refuse one.${file}`;
  }
  if (isSecure) {
    return `Whoever runs the server must allow the origin ${page} (Access-Control-Allow-Origin, and the headers authorization and content-type in Access-Control-Allow-Headers). Hosted services often allow no page: put a gateway of your own in front.${file}`;
  }
  const all = Object.values(servers).map((known) => `${known.name}: ${how(known)}.`);
  return `Allow the origin ${page} in the server. ${all.join(' ')}${file}`;
}

/** @param {string[]} models */
function choose(models) {
  if (models.length === 0) {
    return 'Enter the name of a model that the server has. (Ollama: `ollama list` shows them, `ollama pull NAME` fetches one.)';
  }
  const more = models.length > 8 ? `, and ${models.length - 8} more` : '';
  return `The server has: ${models.slice(0, 8).map(quoted).join(', ')}${more}.`;
}

/** @param {string} name */
const quoted = (name) => `“${name.slice(0, 80)}”`;

/** @typedef {import('../../llm/check.js').FindingValues & { said: string, hint: string }} FindingValues `said` and `hint` are those of its error */
/** @typedef {readonly [message: (values: FindingValues) => string, fix: (values: FindingValues) => string]} Finding */

/** @typedef {typeof enCheck} CheckStrings */

export const enCheck = /** @type {Record<import('../../llm/check.js').Finding, Finding>} */ ({
  config: [({ said }) => said, ({ hint }) => hint],
  answers: [({ model, origin }) => `${model} answers at ${origin}.`, () => ''],
  'answers-unlisted': [
    ({ origin, model }) => `A model answers at ${origin}, though the server does not list ${quoted(model)}.`,
    ({ reply, models }) => `It calls itself ${quoted(reply)}. ${choose(models)}`,
  ],
  'mixed-content': [
    () => 'A page served over https may not ask a server over http on another machine.',
    () =>
      'Give the server an https address (a reverse proxy with a certificate), open this page over http in the local network, or run the server on this machine.',
  ],
  'no-model': [() => 'No model is named.', ({ models }) => choose(models)],
  policy: [
    () => 'The policy of this page does not allow requests to this server.',
    ({ origin }) =>
      `Whoever serves this page must add ${origin} to connect-src of its Content-Security-Policy.`,
  ],
  'local-network': [
    () => 'The browser does not allow this page to reach servers on this machine or in the local network.',
    () =>
      'Click the symbol to the left of the address, allow “Local network access” for this site, and check again.',
  ],
  redirect: [
    () => 'The server sends the request on to another address, which is not followed.',
    () => 'Enter the final address: often https instead of http, or without a slash at the end.',
  ],
  cors: [() => 'The server answers, but does not allow this page to read it (CORS).', allowing],
  unreachable: [
    ({ origin }) => `Nothing that this page may read answers at ${origin}.`,
    (values) => {
      const { server, isCrossing, isSafariBlocked } = values;
      const start =
        server === null
          ? 'Is the server running, and are host and port right?'
          : `Is ${servers[server].name} running? If not, ${servers[server].start}.`;
      const prompt = isCrossing
        ? ' If the browser asked whether this site may reach the local network, allow it.'
        : '';
      const safari = isSafariBlocked
        ? ' Safari does not let an https page ask a server over http, not even on this machine: use another browser.'
        : '';
      return `${start}${prompt}${safari} If it runs, it does not let this page ask it. ${allowing(values)}`;
    },
  ],
  'key-refused': [
    () => 'The server refuses the key.',
    () =>
      'Enter the key of this server again, without spaces. Some servers want it in another header (Azure: api-key).',
  ],
  'no-credit': [
    () => 'The account of this key has no credit left.',
    () => 'Add credit to the account, or use another key.',
  ],
  'model-unknown': [
    ({ model }) => `The server does not have the model ${quoted(model)}.`,
    ({ models }) => choose(models),
  ],
  path: [
    () => 'The server answers, but not as a language model at this address.',
    ({ better, address }) =>
      better === null
        ? `Check the address: ${address} was asked. For most servers the address ends with /v1.`
        : `Use the address ${better}.`,
  ],
  busy: [() => 'The server has too many requests.', () => 'The connection works. Wait a little and ask.'],
  slow: [
    () => 'The server did not answer in time.',
    () => 'It may be loading the model. Check again in a minute.',
  ],
  server: [() => 'The server failed.', () => 'Look at its log: the model may not fit into its memory.'],
  cancelled: [() => 'The check was cancelled.', () => ''],
  protocol: [({ said }) => said, () => 'Is this the address of a chat model that speaks this protocol?'],
  'device-answers': [({ model }) => `${model} answers on this device.`, () => ''],
  'browser-ready': [() => 'The model of this browser is ready.', () => ''],
  'browser-download': [
    () => 'This browser has no language model that is ready.',
    () =>
      'The browser can download its model: open chrome://on-device-internals, and check again when it is there.',
  ],
  'browser-missing': [
    () => 'This browser has no language model that is ready.',
    () => 'Use a server instead, for example Ollama on this machine.',
  ],
});
