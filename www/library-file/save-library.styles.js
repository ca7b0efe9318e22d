/** The style sheet of what says how a library is being saved; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.library-file { display: flex; flex: 1 0 100%; flex-wrap: wrap; align-items: center; gap: 0.4rem; min-width: 0; white-space: normal; }
.library-file p { flex-basis: 100%; }
.library-file progress { flex: 1 1 4rem; min-width: 0; accent-color: var(--accent); }
.library-file .note { flex: 1; min-width: 0; margin: 0; }
.library-file .icon-button { align-self: start; }
`);
