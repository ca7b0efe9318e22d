/** The style sheet of an opened evidence file; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.evidence-shell { grid-template: minmax(0, 1fr) / minmax(0, 1fr); grid-template-areas: 'desk'; }
.evidence-shell.viewing { grid-template: minmax(0, 1fr) / minmax(20rem, 5fr) minmax(22rem, 6fr); grid-template-areas: 'desk viewer'; }
.evidence-alone { max-width: 34rem; padding-top: 12cqh; }
.evidence-title { display: flex; gap: 0.5rem; align-items: center; font: 600 1.625rem/1.25 var(--serif); letter-spacing: -0.01em; overflow-wrap: anywhere; }
.evidence-locked { display: grid; gap: 0.9rem; }
.evidence-locked .primary { justify-self: start; min-height: 2.2rem; }
.evidence-locked [role='alert'] { color: var(--danger); font-weight: 550; }
.evidence-locked [role='alert']:empty { display: none; }
.evidence-head { display: grid; gap: 0.6rem; }
.evidence-top { display: flex; align-items: center; justify-content: space-between; }
.evidence-head .brand { font-size: 1.125rem; }
.evidence-facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 0.9rem; margin: 0; font-size: 0.9375rem; }
.evidence-facts dt { color: var(--ink-2); }
.evidence-facts dd { margin: 0; overflow-wrap: anywhere; }
.evidence-fingerprint, .hash { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.evidence-fingerprint { font-weight: 600; user-select: all; }
.evidence-proof { font-size: 0.875rem; }
.evidence-proof summary { width: fit-content; min-height: 1.5rem; cursor: pointer; border-radius: 4px; color: var(--accent); }
.evidence-proof p { margin-top: 0.5rem; color: var(--ink-2); }
.evidence-changed { margin-top: 1rem; font-size: 0.9375rem; }
.evidence-check { display: grid; gap: 0.4rem; margin-bottom: 0.6rem; }
.evidence-findings { margin-top: 0.3rem; padding-left: 1.1rem; list-style: disc; }
.mark.unchecked { background: none; color: var(--ink); box-shadow: inset 0 0 0 1.5px var(--line-2); }
.evidence-documents { margin-top: 1.8rem; }
.evidence-documents h2 { font: 600 1.125rem/1.3 var(--serif); }
.evidence-documents > ul { display: grid; gap: 0.75rem; margin-top: 0.6rem; }
.evidence-documents li { display: grid; gap: 0.15rem; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); overflow-wrap: anywhere; }
.evidence-same { display: flex; gap: 0.35rem; align-items: center; }
.evidence-same .icon { width: 1rem; height: 1rem; }
@container pincite (max-width: 46rem) {
  .evidence-shell, .evidence-shell.viewing { grid-template: minmax(0, 1fr) / minmax(0, 1fr); grid-template-areas: 'desk'; }
  .evidence-facts { grid-template-columns: minmax(0, 1fr); }
  .evidence-facts dd { margin-bottom: 0.3rem; }
}
`);
