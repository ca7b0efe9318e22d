/**
 * Style of a document that is shown as text, on screen and on paper. It needs `--serif` and `--light`.
 */

export const textRules = `
.text-body { --text-zoom: 1; max-width: 46rem; margin: 0 auto; padding: clamp(1.2rem, 4cqw, 3rem); background: #fff; color: #1c1c1a; font: 400 calc(1rem * var(--text-zoom))/1.6 var(--serif); box-shadow: 0 1px 3px rgb(0 0 0 / 0.18), 0 4px 14px -6px rgb(0 0 0 / 0.25); color-scheme: only light; overflow-wrap: break-word; }
.text-piece { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
.text-piece :is(p, blockquote, .text-table) { margin: 0 0 0.7em; }
.text-title { margin: 0 0 1em; font-size: 1.5em; font-weight: 600; line-height: 1.25; text-align: center; text-wrap: balance; }
.text-heading { margin: 1.3em 0 0.5em; font-size: 1.06em; font-weight: 600; line-height: 1.35; }
h3.text-heading { font-size: 1.25em; }
h4.text-heading { font-size: 1.13em; }
.text-item { padding-inline-start: 1.6em; }
.text-body blockquote { padding: 0 2em; }
.text-caption { font-size: 0.9em; font-weight: 600; }
.text-note { margin-inline-start: 1.6em !important; padding-inline-start: 0.7em; border-inline-start: 2px solid #d8d6cf; font-size: 0.86em; color: #4a4a45; }
.text-table { overflow-x: auto; }
.text-table table { border-collapse: collapse; font-size: 0.92em; }
.text-table td { padding: 0.25em 0.6em; border: 1px solid #d8d6cf; vertical-align: top; }
.text-body sup { font-size: 0.72em; line-height: 1; }
/* 24 pixels to press, in the room of the figure. */
.note-mark { min-width: max(24px, 1.2em + 12px); padding: max(0px, 12.5px - 0.5em) calc(0.15em + 6px); margin: min(0px, 0.5em - 12.5px) -6px; border: 0; background: none; color: #24518a; font: inherit; line-height: 1; cursor: pointer; }
.note-mark:hover { text-decoration: underline; }
.text-light { background: var(--light); color: inherit; border-radius: 2px; box-shadow: 0 0 0 1.5px var(--light); animation: lit 0.5s ease-out; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
`;
