/**
 * The style sheet of answering: the line under the question, drafts and notices, the two dialogs. It goes with
 * `pincite-widget.styles.js`, which has the colours.
 */

export const answering = new CSSStyleSheet();

answering.replaceSync(`
/* One line: a name that is too long is cut off, and what is short of room, or stands beside a filter, is an icon. */
.under-question { container: line / inline-size; display: flex; align-items: center; gap: 0 0.5rem; margin-top: 0.4rem; font-size: 0.8125rem; }
.under-question:has(> .filter[open]) { flex-wrap: wrap; }
.under-question > .filter { flex: none; max-width: 45%; }
.under-question > .filter[open] { flex-basis: 100%; max-width: none; margin-bottom: 0.3rem; }
.status-bar { display: contents; }
.bar-button { position: relative; display: inline-flex; flex: none; align-items: center; gap: 0.35rem; min-width: 1.6rem; min-height: 1.5rem; padding: 0.15rem 0.3rem; border: 0; border-radius: 4px; background: none; font-size: 0.8125rem; color: var(--ink-2); }
.bar-button:first-child { flex: 0 1 auto; }
.bar-button > span, .filter > summary { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.filter.is-set ~ .status-bar .folds { position: absolute; width: 1px; clip-path: inset(50%); }
@container line (max-width: 40rem) {
  .bar-button .folds { position: absolute; width: 1px; clip-path: inset(50%); }
}
@container line (max-width: 22rem) {
  .bar-button + .bar-button > span { position: absolute; width: 1px; clip-path: inset(50%); }
}
.bar-warning { padding: 0 0.3rem; font-size: 0.8125rem; font-weight: 550; color: var(--ink); }
.bar-button:hover { color: var(--accent); background: var(--accent-soft); }
.bar-button .icon { width: 1rem; height: 1rem; }

.thread-foot { margin-top: 1rem; }

/* Answers by a model */
.draft { margin-top: 0.8rem; padding: 0.7rem 0.9rem; border: 1.5px dashed var(--line-2); border-radius: 10px; color: var(--ink-2); }
.draft .fine { display: flex; gap: 0.4rem; align-items: center; margin-bottom: 0.4rem; }
.draft .icon, .remark .icon, .provenance summary .icon { width: 1rem; height: 1rem; }
.draft-text { font: 400 1rem/1.6 var(--serif); white-space: pre-wrap; overflow-wrap: anywhere; }
.paragraph > p { white-space: pre-line; overflow-wrap: break-word; hyphens: auto; }
.statements ul { display: grid; gap: 0.4rem; padding-inline-start: 1.3rem; list-style: disc; }
.unsupported { text-decoration: underline wavy var(--warn) 1.5px; text-underline-offset: 0.2em; }
.remark { display: flex; gap: 0.4rem; align-items: baseline; margin-top: 0.3rem; font: 400 0.8125rem/1.45 var(--sans); color: var(--warn); }
.remark .icon { align-self: center; }
.degraded, .verdict, .differs { margin: 0 0 0.9rem; font-size: 0.875rem; }
.verdict, .differs { margin: 0.9rem 0 0; }
.mark:is(.repaired, .misattributed, .stitched, .cited) { background: none; color: var(--ink); box-shadow: inset 0 0 0 1.5px var(--line-2); }
.mark:is(.repaired, .misattributed, .stitched) { background: color-mix(in srgb, var(--light) 35%, transparent) padding-box; }
.mark.not-found { background: none; color: var(--warn); box-shadow: inset 0 0 0 1.5px var(--warn); }
button.mark:is(.repaired, .misattributed, .stitched, .cited, .not-found):is(:hover, [aria-current]) { box-shadow: 0 0 0 2px var(--accent); }
.status:is(.not-found, .stitched, .differs) { color: var(--warn); font-weight: 600; }
.citation-supporting, .citation-why { padding-inline-start: 2.05rem; font-size: 0.8125rem; color: var(--ink-2); }
.insufficient + .statements, .also-relevant { margin-top: 0.75rem; }
.unfold { min-width: 1.5rem; padding: 0 0.2rem; border: 0; background: none; color: var(--ink-2); font: inherit; cursor: pointer; border-radius: 4px; }
.also-relevant summary { font-size: 0.875rem; color: var(--ink-2); cursor: pointer; border-radius: 4px; }
.also-relevant .statements { margin-top: 0.5rem; }
.provenance { margin-top: 1rem; font-size: 0.8125rem; color: var(--ink-2); }
.provenance summary { display: flex; gap: 0.4rem; align-items: flex-start; cursor: pointer; border-radius: 4px; }
.provenance summary .icon { margin-top: 0.1rem; }
.provenance dl { display: grid; gap: 0.1rem; margin: 0.5rem 0 0 1.4rem; overflow-wrap: anywhere; }
.provenance dt { margin-top: 0.4rem; font-weight: 600; }
.provenance dd { margin: 0 0 0 0.8rem; }
.earlier { display: flex; align-items: center; gap: 0.8rem; font-size: 0.8125rem; font-weight: 600; color: var(--ink-2); }
.earlier::after { content: ''; flex: 1; border-top: 1px solid var(--line-2); }
.earlier-conversations { margin-top: 1.6rem; padding-top: 0.8rem; border-top: 1px solid var(--line); font-size: 0.8125rem; }
.earlier-conversations > summary { width: fit-content; min-height: 1.5rem; padding: 0.15rem 0.3rem; border-radius: 4px; color: var(--ink-2); cursor: pointer; }
.earlier-list { margin-top: 0.4rem; }
.earlier-list .row-name { font-size: 0.9375rem; }
.citation-removed { display: inline-flex; align-items: center; gap: 0.25rem; align-self: center; font-size: 0.75rem; color: var(--warn); }
.citation-removed .icon { width: 0.95rem; height: 0.95rem; }

/* Dialogs */
.dialog { width: min(38rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); max-height: calc(100dvh - 2rem); padding: 1.2rem 1.4rem 1.4rem; overflow: auto; border: 1px solid var(--line-2); border-radius: 14px; background: var(--card); color: var(--ink); box-shadow: 0 20px 60px -20px rgb(0 0 0 / 0.45); }
.dialog.ledger { width: min(64rem, calc(100vw - 2rem)); }
.dialog::backdrop { background: rgb(20 18 14 / 0.45); }
.dialog-head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-bottom: 0.8rem; }
.dialog-head h2 { font: 600 1.25rem/1.3 var(--serif); }
.dialog-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.8rem; margin-top: 0.9rem; font-size: 0.875rem; }
.primary { padding: 0.35rem 1.1rem; border: 0; border-radius: 7px; background: var(--accent); color: var(--paper); font-weight: 600; }
.primary:hover { background: color-mix(in srgb, var(--accent) 86%, var(--ink)); }
.settings-form, .settings-fields { display: grid; gap: 0.8rem; }
.settings-more > .settings-field { margin-top: 0.8rem; }
.settings-more summary { width: fit-content; cursor: pointer; border-radius: 4px; font-size: 0.875rem; color: var(--ink-2); }
.settings-field { display: grid; gap: 0.2rem; min-width: 0; }
.settings-field label { font-size: 0.875rem; font-weight: 550; }
.settings-field :is(input, select, textarea) { width: 100%; min-height: 2.2rem; padding: 0.3rem 0.55rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--paper); color: var(--ink); font: inherit; }
.settings-field textarea { resize: vertical; font-family: ui-monospace, monospace; font-size: 0.8125rem; }
.settings-profile { margin-top: 1.2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.settings-profile + .quiet { margin-top: 1.2rem; }
.settings-named { margin-top: 1.2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
:is(.settings-named, .named-editor, .settings-glossary, .settings-profile) h3 { font: 600 1rem/1.4 var(--sans); }
.named-list { display: grid; gap: 0.4rem; margin-top: 0.6rem; padding: 0; list-style: none; }
.named-list li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.3rem 1rem; }
.named-what { min-width: 0; overflow-wrap: anywhere; font-size: 0.875rem; }
.named-actions { display: flex; flex-wrap: wrap; gap: 0.3rem; font-size: 0.875rem; }
.settings .sent { margin-top: 0.1rem; }
.check-result .strong { display: flex; gap: 0.4rem; align-items: center; }
.check-result .note { font-size: 0.875rem; }
.note.good { box-shadow: inset 3px 0 0 var(--accent); }
.said { white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: 0.8125rem; }
.ledger-summary { font-weight: 550; }
.ledger-table { margin-top: 0.8rem; overflow-x: auto; max-height: 50vh; }
.ledger-table table { width: 100%; border-collapse: collapse; font-size: 0.8125rem; }
.ledger-table :is(th, td) { padding: 0.3rem 0.6rem 0.3rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
.ledger-table th { font-weight: 600; color: var(--ink-2); }
.ledger-table .figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.ledger-table .where { overflow-wrap: anywhere; min-width: 10rem; }
.ledger-table li { padding-left: 0.8rem; overflow-wrap: anywhere; }
.ledger .fine { margin-top: 0.9rem; }
@container pincite (max-width: 46rem) {
  .citation-head { flex-wrap: wrap; row-gap: 0; padding-inline-start: 2.05rem; }
  .citation-head > .mark { margin-inline-start: -2.05rem; }
  .citation-source { flex-basis: 80%; }
}
`);
