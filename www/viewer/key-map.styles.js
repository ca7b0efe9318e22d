/** The style sheet of the keyboard map; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.dialog.key-map { width: min(56rem, calc(100vw - 2rem)); }
.key-places { columns: 22rem; column-gap: 2.2rem; }
.key-places section { break-inside: avoid; padding-bottom: 1.1rem; }
.key-places h3 { margin-bottom: 0.2rem; font: 600 0.875rem/1.4 var(--sans); }
.key-places dl { margin: 0; }
.key-places dl > div { display: flex; align-items: baseline; gap: 0.8rem; padding: 0.2rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.key-places dt { flex: 0 0 min(7.5rem, 42%); }
.key-places dd { margin: 0; min-width: 0; }
.key-places kbd { display: inline-block; min-width: 1.5rem; padding: 0 0.35rem; border: 1px solid var(--line-2); border-bottom-width: 2px; border-radius: 5px; background: var(--paper); font: 500 0.8125rem/1.5 var(--sans); text-align: center; }
`);
