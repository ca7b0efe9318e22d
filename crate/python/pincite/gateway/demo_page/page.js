/**
 * The widget over the gateway that serves this page. The library of the widget is the gateway's; tokens come from the demo's
 * issuer, a new one each time the widget asks for one and the last is about to expire.
 */

const widget = /** @type {HTMLElement & { library: unknown }} */ (document.querySelector('pincite-widget'));
const tenants = /** @type {HTMLSelectElement} */ (document.getElementById('tenant'));
const state = /** @type {HTMLOutputElement} */ (document.getElementById('state'));
/** Seconds that a token lasts, from the address of the page: ?seconds=5 shows what happens when it expires. */
const seconds = Number(new URLSearchParams(location.search).get('seconds') ?? 600);

/** @param {string} tenant @returns {() => Promise<string>} */
function tokensOf(tenant) {
  let token = '';
  let until = 0;
  return async () => {
    if (Date.now() < until) return token;
    const reply = await fetch(`demo/token?tenant=${encodeURIComponent(tenant)}&seconds=${seconds}`);
    if (!reply.ok) throw new Error(`the demo's issuer answered ${reply.status}`);
    ({ token } = await reply.json());
    until = Date.now() + seconds * 900;
    return token;
  };
}

function signIn() {
  widget.library = { url: new URL('.', document.baseURI).href, token: tokensOf(tenants.value) };
}

try {
  const names = await (await fetch('demo/tenants')).json();
  for (const name of names) tenants.append(new Option(name, name));
  const asked = new URLSearchParams(location.search).get('tenant');
  if (names.includes(asked)) tenants.value = asked;
  await import(new URL('site/pincite-widget.js', document.baseURI).href);
  signIn();
  tenants.addEventListener('change', signIn);
} catch (error) {
  state.value = `The widget cannot be loaded: ${error instanceof Error ? error.message : error}`;
}
