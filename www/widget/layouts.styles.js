/**
 * The style sheet of the widget's layouts and slots. `full` is the other sheets' own; here is what `answer` and `floating`
 * have otherwise: no column of documents, and a panel over the corner of the page that a button opens.
 */

/** @typedef {'full' | 'answer' | 'floating'} Layout */

export const layouts = new CSSStyleSheet();

layouts.replaceSync(`
/* Slots: a footer stays at the bottom, also below little content. */
.desk { display: flex; flex-direction: column; }
.desk-inner { width: 100%; }
.foot { position: sticky; bottom: 0; z-index: 2; margin-top: auto; background: var(--paper); }

/* Answer only: the page around adds the documents. */
:host([layout='answer']) :is(.library, .top-buttons, .brand) { display: none !important; }
:host([layout='answer']) .top { padding: 0; border: 0; }
:host([layout='answer']) .shell { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); grid-template-areas: 'top' 'desk'; }
:host([layout='answer']) .shell.viewing { grid-template: auto minmax(0, 1fr) / minmax(20rem, 5fr) minmax(22rem, 6fr); grid-template-areas: 'top top' 'desk viewer'; }
@container pincite (max-width: 46rem) {
  :host([layout='answer']) .shell.viewing { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); grid-template-areas: 'top' 'desk'; }
}

/* Floating: the element is as large as what it shows. */
.launcher { display: none; align-items: center; gap: 0.5rem; height: 100%; width: 100%; justify-content: center; border: 0; border-radius: 1.6rem; background: var(--accent); color: var(--paper); font-weight: 600; box-shadow: 0 4px 16px -4px rgb(0 0 0 / 0.4); }
:host([layout='floating']) { position: fixed; inset: auto 1rem 1rem auto; z-index: 1000; width: 15rem; max-width: calc(100vw - 2rem); height: 3.2rem; min-height: 0; border-radius: 1.6rem; background: none; }
:host([layout='floating']) .launcher { display: flex; }
:host([layout='floating'][expanded]) { width: 30rem; height: min(44rem, 100dvh - 2rem); border-radius: var(--radius); background: var(--paper); box-shadow: 0 0 0 1px var(--line-2), 0 12px 40px -8px rgb(0 0 0 / 0.45); overflow: hidden; }
:host([layout='floating'][expanded]) .launcher { position: absolute; inset: 0.55rem 0.6rem auto auto; z-index: 5; width: 2rem; height: 2rem; border-radius: 7px; background: none; color: var(--ink-2); box-shadow: none; }
:host([layout='floating'][expanded]) .launcher:hover { background: var(--accent-soft); color: var(--ink); }
:host([layout='floating'][expanded]) .top { padding-right: 3.2rem; }
:host([layout='floating'][expanded]) .top-buttons { margin-right: 0; }
:host([layout='floating'][expanded]) .brand { font-size: 1.125rem; }
:host([layout='floating'][expanded]) .shell.viewing .viewer-bar { padding-right: 3.2rem; }
@media (forced-colors: active) {
  .launcher { border: 1px solid; background: ButtonFace; color: ButtonText; }
}
@media (max-width: 34rem) {
  :host([layout='floating'][expanded]) { inset: 0; width: auto; max-width: none; height: 100dvh; border-radius: 0; }
}
`);
