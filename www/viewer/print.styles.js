/** The style sheet of the print dialog; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.dialog.print { width: min(26rem, calc(100vw - 2rem)); }
.print form { display: grid; gap: 0.8rem; }
.print-pages { display: grid; gap: 0.3rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.print-pages legend { margin-bottom: 0.3rem; padding: 0; font: 600 0.875rem/1.4 var(--sans); }
.print-some { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.6rem; }
.print label:not(.visually-hidden) { display: inline-flex; align-items: center; gap: 0.45rem; min-height: 1.5rem; font-size: 0.9375rem; }
.print :is([type='radio'], [type='checkbox']) { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.print [type='text'] { flex: 1 1 8rem; min-width: 0; min-height: 2rem; padding: 0.2rem 0.55rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--paper); color: var(--ink); }
.print [role='alert'] { font-size: 0.875rem; color: var(--danger); }
.print [role='alert']:empty { display: none; }
.print-working { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.8rem; }
.print-working progress { flex: 1 1 8rem; accent-color: var(--accent); }
.print-frame { position: fixed; inset: 0 auto auto 0; width: 0; height: 0; border: 0; visibility: hidden; }
`);
