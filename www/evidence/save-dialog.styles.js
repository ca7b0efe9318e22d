/** The style sheet of the dialog that saves answers with their documents; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.evidence form { display: grid; gap: 0.8rem; }
.evidence .dialog-head { margin-bottom: 0; }
.evidence-lead { font-size: 0.9375rem; }
.evidence-fields { display: grid; gap: 0.8rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.evidence-fields h3 { font: 600 0.875rem/1.4 var(--sans); }
.evidence-scope { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; }
:is(.evidence-scope, .evidence) label:has(> input) { display: inline-flex; align-items: center; gap: 0.45rem; min-height: 1.5rem; font-size: 0.9375rem; }
.evidence label > input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.evidence-who { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.8rem; }
.evidence-inside { display: grid; gap: 0.4rem; font-size: 0.875rem; }
.evidence-inside ul { display: grid; gap: 0.2rem; padding-left: 1.1rem; list-style: disc; overflow-wrap: anywhere; }
.evidence-passphrase { display: grid; gap: 0.5rem; margin-top: 0.5rem; }
.evidence progress { flex: 1 1 8rem; accent-color: var(--accent); }
.evidence-hashes { display: grid; gap: 0.1rem; margin: 0.4rem 0; }
.evidence-hashes dt { font-weight: 600; }
.evidence-hashes dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
`);
