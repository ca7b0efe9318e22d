/**
 * A compliance portal with the widget in it. Its policy allows no policy of Trusted Types but its own, so it makes the
 * addresses of the workers; its documents need its sign-in; a case asks its question.
 */

document.documentElement.toggleAttribute('data-framed', globalThis.parent !== globalThis.window);
const widget = /** @type {import('../widget/pincite-widget.js').PinciteWidget} */ (
  document.querySelector('pincite-widget')
);
const assets = new URL('pincite/assets/', document.baseURI).href;
/** @type {{ createPolicy: (name: string, rules: {}) => { createScriptURL: (address: string) => object } } | undefined} */
const trustedTypes = Reflect.get(globalThis, 'trustedTypes');
const policy = trustedTypes?.createPolicy('portal', {
  createScriptURL: (/** @type {string} */ address) => {
    if (!address.startsWith(assets)) throw new TypeError('no script of this portal');
    return address;
  },
});
/** @param {string} file */
const address = (file) => policy?.createScriptURL(assets + file) ?? assets + file;
// Before the element is defined: it takes them when it is.
widget.workers = {
  'engine/worker.js': address('engine/worker.js'),
  'viewer/pdf.worker.min.mjs': address('viewer/pdf.worker.min.mjs'),
};
await import(new URL('pincite/index.js', document.baseURI).href);

for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-document]'))) {
  const state = /** @type {HTMLOutputElement} */ (item.querySelector('output'));
  widget.addUrl(item.dataset['document'] ?? '', { getAuth: () => 'Bearer of-this-session' }).then(
    ({ nPages }) => (state.value = `${nPages} pages`),
    (error) => (state.value = error.hint || error.message),
  );
}
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-question]')))
  button.addEventListener('click', () => void widget.ask(button.dataset['question'] ?? '').catch(() => {}));

export {};
