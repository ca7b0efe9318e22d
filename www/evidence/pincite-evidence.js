customElements.define('pincite-evidence', class extends HTMLElement {});
