/** The style sheet of a library on a server; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.library:has(> .remote-library:not([hidden])) > .documents { flex: 0 1 auto; min-height: 3.5rem; }
.library:has(> .remote-library:not([hidden])) > .documents:empty { min-height: 0; }
.remote-library { display: flex; flex: 1 1 8rem; flex-direction: column; min-height: 8rem; margin-top: 0.4rem; border-top: 1px solid var(--line); }
.remote-library > .library-head { align-items: baseline; }
.remote-library h2 { min-width: 0; overflow-wrap: anywhere; }
.remote-library > .fine { padding: 0.4rem 1.25rem; }
.library-find { min-height: 2rem; margin: 0 1rem 0.5rem; padding: 0.25rem 0.5rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--card); }
.remote-line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.7rem; margin-top: 0.35rem; }
.remote-line > [role='status'] { flex-basis: 100%; }
.remote-asked { display: inline-flex; align-items: center; gap: 0.4rem; min-height: 1.5rem; font-size: 0.8125rem; font-weight: 550; overflow-wrap: anywhere; }
.remote-asked > input { flex: none; width: 1.0625rem; height: 1.0625rem; margin: 0; accent-color: var(--accent); }
.remote-pace { display: inline-flex; flex-wrap: wrap; gap: 0.15rem 0.6rem; }
.library-notice { display: grid; gap: 0.25rem; margin-bottom: 0.8rem; }
.library-notice > .library-info { color: var(--ink-2); }
.citation-library { display: inline-flex; align-items: center; gap: 0.2rem; overflow-wrap: anywhere; }
.citation-library > .icon { width: 0.95rem; height: 0.95rem; }
.library-missing { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.75rem; background: var(--warn-paper); }
`);
