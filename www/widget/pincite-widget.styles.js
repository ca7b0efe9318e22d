/**
 * The style sheet of the widget, constructed once and adopted by every instance (the policy forbids inline
 * styles). Paper and ink, one accent, and the highlighter, which means one thing only: cited words.
 */

import { textRules } from '../viewer/text.styles.js';

export const styles = new CSSStyleSheet();

styles.replaceSync(`
:host {
  --accent: var(--pincite-accent, light-dark(#24518a, #8db4ea));
  --accent-soft: color-mix(in srgb, var(--accent) 9%, transparent);
  --light: var(--pincite-light, light-dark(#ffe066, #f2cf4a));
  --paper: var(--pincite-paper, light-dark(#f7f5f0, #16171a));
  --ink: var(--pincite-ink, light-dark(#201d18, #e8e6e1));
  --card: var(--pincite-card, light-dark(#fffefb, #1e1f23));
  --ink-2: var(--pincite-muted, light-dark(#5a554b, #a9a69e));
  --line: var(--pincite-line, light-dark(#e1dcd1, #303238));
  --line-2: light-dark(#c9c2b3, #484b53);
  --warn: light-dark(#8a4b08, #f0bf7a);
  --warn-paper: light-dark(#fdf3e1, #2c2519);
  --danger: light-dark(#9d2b22, #f29a90);
  --desk: light-dark(#e8e4db, #0e0f11);
  --mark-ink: light-dark(#3b3000, #2b2300);
  --serif: var(--pincite-text-font, 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', 'Noto Serif', Georgia, serif);
  --sans: var(--pincite-font, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif);
  --radius: var(--pincite-radius, 10px);
  display: block;
  /* So are its languages written, whatever the page around is; documents and questions follow their own words, below. */
  direction: ltr;
  container: pincite / size;
  min-height: 30rem;
  color: var(--ink);
  background: var(--paper);
  font: 400 0.9375rem/1.5 var(--sans);
  color-scheme: light dark;
  -webkit-text-size-adjust: 100%;
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h1, h2, h3, h4, p, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; }
::placeholder { color: var(--ink-2); opacity: 1; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.icon { width: 1.25rem; height: 1.25rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.fine { font-size: 0.8125rem; color: var(--ink-2); }
.strong { font-weight: 600; }
:is(.asked, .question-input, .suggestion, .paragraph > p, .draft-text, .citation-document, .citation-path, .citation-quote, .row-name, .viewer-title, .find-input, .tree-title) { unicode-bidi: plaintext; }
/* Small type, in an area of 24 pixels that takes no more room. */
:is(.diags, .also-relevant, .provenance, .settings-more, .ledger-table) summary { margin-block: -0.15rem; padding-block: 0.15rem; }
mark { color: inherit; background: linear-gradient(transparent 12%, light-dark(color-mix(in srgb, var(--light) 85%, transparent), color-mix(in srgb, var(--light) 42%, transparent)) 12% 92%, transparent 92%); padding: 0 0.08em; margin: 0 -0.04em; border-radius: 2px; }

/* Frame */
.shell { position: relative; display: grid; height: 100%; grid-template: auto minmax(0, 1fr) / min(var(--library-width, 19rem), 40cqw) minmax(0, 1fr); grid-template-areas: 'top desk' 'library desk'; }
.shell.viewing { grid-template-columns: min(var(--library-width, 17rem), 30cqw) minmax(16rem, 5fr) minmax(18rem, var(--viewer-width, 6fr)); grid-template-areas: 'top desk viewer' 'library desk viewer'; }
.top { grid-area: top; display: flex; align-items: center; justify-content: space-between; padding: 1.1rem 1.25rem 0.6rem; border-right: 1px solid var(--line); }
.brand { font: 600 1.5rem/1 var(--serif); letter-spacing: -0.01em; }
.top-buttons { display: flex; align-items: center; gap: 0.4rem; margin-right: -0.5rem; }
.top .library-toggle { display: none; }
.library { grid-area: library; position: relative; display: flex; flex-direction: column; min-height: 0; border-right: 1px solid var(--line); }
.desk { grid-area: desk; min-width: 0; overflow-y: auto; scrollbar-gutter: stable; }
.desk-inner { max-width: 46rem; margin: 0 auto; padding: 1.1rem 1.5rem 4rem; }

.site-notice:not(:empty) { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.75rem; margin-bottom: 1.3rem; }
.site-notice > p { display: flex; align-items: center; gap: 0.35rem; }
.column-separator { position: absolute; inset: 0 auto; z-index: 3; width: 24px; cursor: col-resize; touch-action: none; }
.column-separator::after { content: ''; position: absolute; inset: 0 11px; border-radius: 1px; }
.column-separator:is(:hover, :focus-visible)::after { background: var(--accent); }
.column-separator:focus-visible { outline: none; }
.of-library { right: -12px; }
.of-viewer { left: -12px; }

/* Buttons */
.icon-button { display: inline-grid; place-items: center; width: 2rem; height: 2rem; padding: 0; border: 0; border-radius: 7px; background: none; color: var(--ink-2); flex: none; }
.icon-button:is([aria-pressed='true'], [aria-expanded='true']) { background: var(--accent-soft); color: var(--accent); box-shadow: inset 0 0 0 1px currentColor; }
.icon-button:hover { background: var(--accent-soft); color: var(--ink); }
.quiet { display: inline-flex; align-items: center; gap: 0.35rem; padding: 0.25rem 0.7rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--card); font-size: 0.8125rem; font-weight: 550; flex: none; max-width: 100%; }
.quiet:hover { border-color: var(--accent); }
.quiet .icon { width: 1rem; height: 1rem; }
.quiet.danger { color: var(--danger); border-color: currentColor; }
.link { min-width: 1.5rem; min-height: 1.5rem; margin-block: -0.15rem; padding: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; text-underline-offset: 0.15em; font-size: 0.8125rem; }

/* Library */
.library-head { display: flex; align-items: baseline; gap: 0.5rem; padding: 0.6rem 1.25rem 0.5rem; }
.library-head h2 { font-size: 0.8125rem; font-weight: 600; color: var(--ink-2); }
.count { font-size: 0.8125rem; color: var(--ink-2); }
.drop-zone { padding: 0 1rem 0.6rem; }
.hidden-input { display: none; }
.drop-button { display: flex; align-items: center; gap: 0.75rem; width: 100%; padding: 0.7rem 0.9rem; border: 1.5px dashed var(--line-2); border-radius: var(--radius); background: none; text-align: start; }
.drop-button:hover { border-color: var(--accent); background: var(--accent-soft); }
.drop-button .icon { color: var(--accent); }
.drop-button strong { display: block; font-weight: 600; line-height: 1.3; }
.drop-hint { display: block; font-size: 0.8125rem; color: var(--ink-2); line-height: 1.3; }
.find-document { margin: 0 1rem 0.5rem; padding: 0.3rem 0.6rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--card); font-size: 0.8438rem; }
.documents { flex: 1; min-height: 0; overflow-y: auto; padding: 0 0.6rem; }
.row { display: flex; align-items: flex-start; gap: 0.6rem; padding: 0.5rem 0.4rem 0.5rem 0.65rem; border-radius: var(--radius); }
/* Of a long list, what is far down is laid out when it comes near. */
.row:nth-child(n + 21) { content-visibility: auto; contain-intrinsic-height: auto 3.5rem; }
.row:hover { background: var(--accent-soft); }
.row > .icon { margin-top: 0.15rem; color: var(--ink-2); }
.row > .row-choice { flex: none; display: grid; place-items: center; width: 1.5rem; height: 1.5rem; margin: -0.15rem -0.25rem 0; }
.row-choice > input { width: 1.0625rem; height: 1.0625rem; margin: 0; accent-color: var(--accent); }
.row > .icon-button { margin-top: -0.2rem; }
.row.faint > .row-body > .row-name { color: var(--ink-2); }
.row-body { flex: 1; min-width: 0; }
.row-name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; width: 100%; padding: 0; border: 0; background: none; text-align: left; font-weight: 550; line-height: 1.35; overflow-wrap: anywhere; }
/* An edge that is not seen: the text of a third line would show in a padding. */
button.row-name { margin-block: -2px; border-block: 2px solid transparent; }
button.row-name:hover:enabled { color: var(--accent); }
.row-note { font-size: 0.8125rem; color: var(--ink-2); overflow-wrap: anywhere; line-height: 1.4; font-variant-numeric: tabular-nums; }
.bar { height: 3px; margin-top: 0.4rem; border-radius: 2px; background: var(--line); overflow: hidden; }
.bar-fill { height: 100%; border-radius: inherit; background: var(--accent); transform-origin: 0 50%; transform: scaleX(var(--share, 0)); transition: transform 0.2s linear; }
.bar.unknown .bar-fill { transform: scaleX(0.3); animation: wander 1.4s ease-in-out infinite alternate; }
@keyframes wander { to { transform: translateX(70%) scaleX(0.3); } }
.note { margin-top: 0.4rem; padding: 0.5rem 0.65rem; border-radius: 8px; background: var(--accent-soft); font-size: 0.8125rem; line-height: 1.4; overflow-wrap: anywhere; }
.note > p + p, .note > * + .quiet { margin-top: 0.25rem; }
.note.warning { background: var(--warn-paper); color: var(--ink); box-shadow: inset 3px 0 0 var(--warn); }
.password { display: flex; gap: 0.4rem; margin: 0.4rem 0 0.3rem; align-items: center; }
.password input { flex: 1; min-width: 0; padding: 0.25rem 0.5rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--card); }
.diags { margin-top: 0.25rem; font-size: 0.8125rem; color: var(--ink-2); }
.diags summary { display: flex; align-items: center; gap: 0.3rem; cursor: pointer; width: fit-content; border-radius: 4px; }
.diags summary .icon { width: 1rem; height: 1rem; }
.diags li { padding: 0.2rem 0 0 1.3rem; }
.library-foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.4rem; min-height: 2.75rem; padding: 0.5rem 1.25rem; border-top: 1px solid var(--line); font-size: 0.8125rem; color: var(--ink-2); white-space: nowrap; }
.usage { flex-basis: 100%; white-space: normal; }
.embedding-progress { flex-basis: 100%; margin: 0; white-space: normal; }
.confirm { display: flex; gap: 0.4rem; }

/* Question */
.question { position: sticky; top: 1.1rem; z-index: 2; display: flex; align-items: flex-end; gap: 0.6rem; padding: 0.45rem 0.5rem 0.45rem 0.9rem; border: 1px solid var(--line-2); border-radius: 14px; background: var(--card); box-shadow: 0 1px 2px rgb(30 25 15 / 0.05), 0 6px 20px -10px rgb(30 25 15 / 0.18); }
/* Content that scrolls under the box does not show above it. */
.question::before { content: ''; position: absolute; inset: auto -0.5rem calc(100% + 1px); height: 1.2rem; background: var(--paper); }
.question:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 18%, transparent); }
.question > .icon { margin-bottom: 0.6rem; color: var(--ink-2); }
.question-input { flex: 1; min-width: 0; max-height: 10rem; padding: 0.5rem 0; border: 0; background: none; resize: none; field-sizing: content; font-size: 1.0625rem; line-height: 1.45; }
.question-input:focus-visible { outline: none; }
.ask { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; padding: 0; border: 0; border-radius: 10px; background: var(--accent); color: var(--paper); flex: none; }
.ask:hover:enabled { background: color-mix(in srgb, var(--accent) 86%, var(--ink)); }
.ask:disabled { background: var(--line); color: var(--ink-2); }
.filter { color: var(--ink-2); }
.filter summary { width: fit-content; max-width: 100%; min-height: 1.5rem; padding: 0.15rem 0.3rem; border-radius: 4px; cursor: pointer; }
.filter-fields { display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem 0.9rem; margin-top: 0.4rem; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.filter-field { display: grid; gap: 0.2rem; min-width: 0; }
.filter-field select, .filter-field input { max-width: 15rem; min-height: 2rem; padding: 0.2rem 0.45rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--paper); color: var(--ink); font: inherit; }
.filter-check { display: flex; align-items: center; gap: 0.4rem; min-height: 2rem; }
.suggestions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 0.9rem; }
.suggestion { padding: 0.4rem 0.8rem; border: 1px solid var(--line-2); border-radius: 1rem; background: none; text-align: start; font-size: 0.875rem; line-height: 1.35; }
.suggestion:hover { border-color: var(--accent); background: var(--accent-soft); }

/* Welcome */
.welcome { padding: clamp(2rem, 9cqh, 5.5rem) 0 1rem; }
.headline { font: 600 clamp(2rem, 5.2cqw, 3rem)/1.12 var(--serif); letter-spacing: -0.02em; text-wrap: balance; max-width: 13em; }
.lead { max-width: 38rem; margin-top: 1rem; font: 400 1.125rem/1.6 var(--serif); color: var(--ink-2); }
.samples-head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 2.5rem 0 0.75rem; }
.samples-head h3 { font-size: 0.9375rem; font-weight: 600; }
.sample-cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0.75rem; }
.sample { display: flex; flex-direction: column; gap: 0.4rem; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); }
.sample h4 { display: flex; gap: 0.45rem; font-size: 0.9375rem; font-weight: 600; line-height: 1.35; }
.sample h4 .icon { color: var(--ink-2); }
.sample p { flex: 1; font-size: 0.8438rem; color: var(--ink-2); }
.sample .quiet { align-self: flex-start; margin-top: 0.2rem; }

/* Answers */
.thread { display: grid; gap: 1rem; margin-top: 1.5rem; }
.answer-card { padding: 1.25rem 1.4rem 1.3rem; border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
.asked { font: 600 1.1875rem/1.35 var(--serif); letter-spacing: -0.005em; overflow-wrap: anywhere; }
.answer-body { margin-top: 0.8rem; }
.statements { display: grid; gap: 0.65rem; font: 400 1.0938rem/1.62 var(--serif); }
.mark { display: inline-grid; place-items: center; min-width: 1.5rem; height: 1.5rem; padding: 0 0.25rem; margin: -1px 0.02rem; border: 1px solid transparent; border-radius: 6px; background: var(--light) padding-box; color: var(--mark-ink); font: 600 0.75rem/1 var(--sans); vertical-align: 0.1em; font-variant-numeric: tabular-nums; }
button.mark:hover, .mark[aria-current] { box-shadow: 0 0 0 2px var(--accent); }
.answer-body h3 { margin: 1.4rem 0 0.5rem; font-size: 0.8125rem; font-weight: 600; color: var(--ink-2); }
.copy-row { display: flex; align-items: center; flex-wrap: wrap; gap: 0.6rem; margin-top: 0.9rem; }
.citations { display: grid; gap: 0.35rem; }
.citation { display: grid; gap: 0.25rem; width: 100%; padding: 0.6rem 0.7rem; border: 1px solid transparent; border-radius: var(--radius); background: none; text-align: start; }
.citation:hover { background: var(--accent-soft); }
.citation[aria-current] { border-color: var(--accent); background: var(--accent-soft); }
.citation-head { display: flex; align-items: baseline; gap: 0.55rem; }
.citation-source { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; gap: 0 0.55rem; font-size: 0.8438rem; color: var(--ink-2); }
.citation-document { color: var(--ink); font-weight: 550; overflow-wrap: anywhere; }
.status { display: inline-flex; align-items: center; gap: 0.25rem; font-size: 0.75rem; color: var(--ink-2); align-self: center; }
.status .icon { width: 0.95rem; height: 0.95rem; }
.citation-path { padding-inline-start: 2.05rem; font-size: 0.8125rem; color: var(--ink-2); }
.citation-quote { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; padding-inline-start: 2.05rem; font: 400 0.9375rem/1.5 var(--serif); quotes: '“' '”'; overflow-wrap: break-word; }
.insufficient { display: flex; gap: 0.6rem; margin: 0; font-size: 0.9375rem; padding: 0.75rem 0.9rem; }
.vectors, .matches, .searched { display: flex; gap: 0.4rem; align-items: flex-start; margin-top: 1rem; }
.matches { margin: 0 0 0.5rem; }
.searched { margin: 0 0 0.8rem; }
:is(.vectors, .matches, .searched) .icon { width: 1rem; height: 1rem; margin-top: 0.1rem; }
.searching { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; color: var(--ink-2); }
.pulse { width: 0.6rem; height: 0.6rem; border-radius: 50%; background: var(--light); animation: pulse 1s ease-in-out infinite alternate; }
@keyframes pulse { from { opacity: 0.3; } to { opacity: 1; } }
.failure { margin-bottom: 1rem; }
.failure > .note { display: flex; justify-content: space-between; gap: 0.6rem; }

/* Viewer */
.viewer { grid-area: viewer; position: relative; container: viewer / inline-size; display: flex; flex-direction: column; min-width: 0; min-height: 0; border-left: 1px solid var(--line); background: var(--desk); }
.viewer-bar { display: grid; grid-template: 'title citations close' auto 'tools tools tools' auto 'find find find' auto / minmax(0, 1fr) auto auto; align-items: center; gap: 0.3rem 0.5rem; padding: 0.4rem 0.6rem 0.4rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.viewer-title { font-size: 0.875rem; font-weight: 600; text-align: left; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.viewer-close { grid-area: close; }
.viewer-tools { grid-area: tools; display: flex; flex-wrap: wrap; align-items: center; gap: 0.1rem 0.6rem; margin-left: -0.4rem; }
.tool-group { display: inline-flex; align-items: center; gap: 0.1rem; }
.viewer-citations { grid-area: citations; display: flex; align-items: center; gap: 0.25rem; font-size: 0.8125rem; color: var(--ink-2); font-variant-numeric: tabular-nums; }
.viewer-citations [aria-disabled='true'] { opacity: 0.4; cursor: default; }
.page-of { display: inline-flex; align-items: center; gap: 0.35rem; font-size: 0.8125rem; color: var(--ink-2); font-variant-numeric: tabular-nums; white-space: nowrap; }
.page-input { width: 3rem; padding: 0.2rem 0.3rem; border: 1px solid var(--line-2); border-radius: 6px; background: var(--paper); color: var(--ink); text-align: center; }
.find-bar { grid-area: find; display: flex; align-items: center; flex-wrap: wrap; gap: 0.15rem; }
.find-input { flex: 1 1 7rem; min-width: 0; min-height: 2rem; padding: 0.2rem 0.55rem; margin-right: 0.5rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--paper); font-size: 0.875rem; }
.find-input::-webkit-search-cancel-button { display: none; }
.find-count { font-size: 0.8125rem; color: var(--ink-2); font-variant-numeric: tabular-nums; white-space: nowrap; }
.finds-nothing .find-count { color: var(--danger); }
.find-option { font-size: 0.8125rem; font-weight: 600; }
/* Found words, everywhere but in print; the highlighter's yellow stays with cited ones. */
::highlight(pincite-found) { background-color: rgb(20 130 120 / 0.28); }
::highlight(pincite-found-current) { background-color: rgb(196 60 150 / 0.42); text-decoration: underline 2px rgb(160 20 110); }
.viewer-body { position: relative; flex: 1; display: flex; min-height: 0; }
.viewer-pane { flex: none; display: flex; flex-direction: column; width: 15rem; min-height: 0; background: var(--paper); border-right: 1px solid var(--line); }
.pane-head { display: flex; align-items: center; justify-content: space-between; padding: 0.25rem 0.4rem 0.25rem 1rem; border-bottom: 1px solid var(--line); }
.pane-title { font-size: 0.8125rem; font-weight: 600; color: var(--ink-2); }
.pane-body { flex: 1; min-height: 0; overflow-y: auto; padding: 0.3rem; }
.pane-message:empty { display: none; }
.pane-message { padding: 0.4rem 0.7rem; font-size: 0.8125rem; color: var(--ink-2); }
.thumbnails { display: grid; grid-template-columns: repeat(auto-fill, minmax(calc(var(--thumbnail-width, 7rem) + 1rem), 1fr)); gap: 0.2rem; }
.thumbnail { display: grid; justify-items: center; gap: 0.25rem; padding: 0.5rem 0.3rem 0.3rem; border-radius: 7px; cursor: pointer; }
.thumbnail:hover { background: var(--accent-soft); }
.thumbnail:focus-visible { outline-offset: -2px; }
.thumbnail-page { display: grid; width: var(--thumbnail-width); height: var(--thumbnail-height); background: #fff; box-shadow: 0 0 0 1px var(--line-2); }
.thumbnail-page canvas { width: 100%; height: 100%; min-width: 0; min-height: 0; object-fit: contain; }
.thumbnail-number { padding: 0 0.45rem; border-radius: 5px; font-size: 0.8125rem; color: var(--ink-2); font-variant-numeric: tabular-nums; }
.thumbnail[aria-selected='true'] .thumbnail-page { box-shadow: 0 0 0 3px var(--accent); }
.thumbnail[aria-selected='true'] .thumbnail-number { background: var(--accent); color: var(--paper); font-weight: 600; }
.tree-row { display: flex; align-items: flex-start; padding: 0.15rem 0.4rem 0.15rem calc(0.75rem * var(--depth)); border-radius: 6px; font-size: 0.8438rem; line-height: 1.4; cursor: pointer; content-visibility: auto; contain-intrinsic-size: auto 1.5rem; }
.tree-row:hover { background: var(--accent-soft); }
.tree-row[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.tree-row:focus-visible { outline-offset: -2px; }
.tree-twisty { flex: none; width: 1.5rem; min-height: 1.5rem; line-height: 1.5rem; text-align: center; color: var(--ink-2); }
.tree-row[aria-expanded] > .tree-twisty::before { content: '▸'; display: inline-block; }
.tree-row[aria-expanded='true'] > .tree-twisty::before { transform: rotate(90deg); }
.tree-title { min-width: 0; padding: 0.13rem 0; overflow-wrap: anywhere; }
/* Two rows of the bar in the order of the Tab key: the field and its steps, then the count, the options and the end. */
@container viewer (max-width: 23rem) {
  .find-input { flex-basis: calc(100% - 5.05rem); }
  .find-bar > :is(.find-count, .find-option, .find-option ~ .icon-button) { order: 1; }
  .find-count { margin-right: auto; }
}
@container viewer (max-width: 40rem) {
  .viewer-pane { position: absolute; inset: 0 auto 0 0; z-index: 3; width: min(100%, 19rem); box-shadow: 4px 0 16px -6px rgb(0 0 0 / 0.35); }
}
.viewer-message { padding: 1rem; color: var(--ink-2); }
.viewer-pages { position: relative; flex: 1; min-height: 0; overflow: auto; padding: 0.5rem 1rem 2rem; }
.viewer-pages:focus-visible { outline-offset: -2px; }
.page-view { --total-scale-factor: 1; position: relative; width: calc(var(--page-width) * var(--total-scale-factor)); height: calc(var(--page-height) * var(--total-scale-factor)); margin: 0.5rem auto 0; background: #fff; box-shadow: 0 1px 3px rgb(0 0 0 / 0.18), 0 4px 14px -6px rgb(0 0 0 / 0.25); color-scheme: only light; }
.page-view canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.lights { position: absolute; inset: 0; mix-blend-mode: multiply; pointer-events: none; }
.light { position: absolute; background: var(--light); border-radius: 2px; box-shadow: 0 0 0 1.5px var(--light); animation: lit 0.5s ease-out; }
@keyframes lit { from { opacity: 0; } }
.text-layer { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; transform-origin: 0 0; forced-color-adjust: none; --scale-round-x: 1px; --scale-round-y: 1px; --min-font-size: 1; --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size)); --min-font-size-inv: calc(1 / var(--min-font-size)); }
.text-layer :is(span, br) { position: absolute; color: transparent; white-space: pre; cursor: text; transform-origin: 0 0; }
.text-layer > :not(.markedContent), .text-layer .markedContent span:not(.markedContent) { --font-height: 0; --scale-x: 1; --rotate: 0deg; font-size: calc(var(--text-scale-factor) * var(--font-height)); transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)); }
.text-layer .markedContent { display: contents; }
.text-layer[data-main-rotation='90'] { transform: rotate(90deg) translateY(-100%); }
.text-layer[data-main-rotation='180'] { transform: rotate(180deg) translate(-100%, -100%); }
.text-layer[data-main-rotation='270'] { transform: rotate(270deg) translateX(-100%); }
.text-layer ::selection { background: color-mix(in srgb, #24518a 30%, transparent); color: transparent; }
.as-text :is(.of-pages, .viewer-pages), .gone :is(.viewer-tools, .viewer-body) { display: none; }
.viewer-text { position: relative; flex: 1; min-height: 0; overflow: auto; padding: 1rem 1rem 2rem; }
.viewer-text:focus-visible { outline-offset: -2px; }
${textRules}

/* Dropping */
.drop-cover { position: absolute; inset: 0; z-index: 5; display: none; place-items: center; pointer-events: none; background: color-mix(in srgb, var(--paper) 82%, transparent); border: 3px dashed var(--accent); border-radius: var(--radius); font: 600 1.75rem var(--serif); }
.dropping > .drop-cover { display: grid; }

/* Narrower: the library folds away, the viewer lies over the answers. */
@container pincite (max-width: 68rem) {
  .shell.viewing { grid-template: auto minmax(0, 1fr) / minmax(16rem, 1fr) minmax(0, var(--viewer-width, 1.1fr)); grid-template-areas: 'top viewer' 'desk viewer'; }
  .shell.viewing .of-library { display: none; }
  .shell.viewing > .top { border-right: 0; }
  .shell.viewing > .top .library-toggle { display: inline-flex; }
  /* Unfolded, it lies over the conversation, and the viewer stays in sight; folded, files on their way lie at its foot. */
  .shell.viewing > .library { display: none; grid-area: desk; z-index: 3; background: var(--paper); padding-top: 0.5rem; }
  .shell.viewing:is(.library-open, .adding) > .library { display: flex; }
  .shell.viewing.adding:not(.library-open) > .library { align-self: end; max-height: 40cqh; border-top: 1px solid var(--line); }
  .shell.viewing.adding:not(.library-open) > .library :is(.library-head, .drop-zone, .find-document, .library-foot, .row:not([data-stage])) { display: none; }
}
@container pincite (max-width: 46rem) {
  .shell, .shell.viewing { grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr); grid-template-areas: 'top' 'library' 'desk'; }
  .top { padding: 0.7rem 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  .top .library-toggle { display: inline-flex; }
  .desk { scrollbar-gutter: auto; }
  .library, .shell.viewing > .library { display: none; grid-area: library; border-right: 0; border-bottom: 1px solid var(--line); max-height: 60cqh; padding-top: 0.5rem; }
  .shell:is(.library-open, .empty, .adding) > .library { display: flex; }
  .shell.adding:not(.library-open) > .library { max-height: 40cqh; }
  .shell.adding:not(.library-open) > .library :is(.library-head, .drop-zone, .find-document, .library-foot, .row:not([data-stage])) { display: none; }
  .shell.empty .library-head, .shell.empty .library-foot, .shell.empty .documents, .shell.empty .top .library-toggle { display: none; }
  .desk-inner { padding: 0.9rem 1rem 3rem; }
  .question { top: 0.9rem; }
  .answer-card { padding: 1rem 1rem 1.1rem; }
  .citation { padding: 0.6rem 0.3rem; }
  .column-separator { display: none; }
  .shell > .viewer { position: absolute; inset: 0; z-index: 4; border-left: 0; }
  .viewer-pages, .viewer-text { padding: 0.5rem 0.5rem 2rem; }
  .viewer-bar { grid-template: 'title close' auto 'citations citations' auto 'tools tools' auto 'find find' auto / minmax(0, 1fr) auto; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
/* Zoomed in, or a low window: what stays in sight leaves room for what is read. */
@media (max-height: 26rem) {
  .question { position: relative; top: 0; }
}
@media (prefers-contrast: more) {
  :host {
    --ink-2: var(--pincite-muted, light-dark(#3a362e, #d5d2ca));
    --line: var(--pincite-line, light-dark(#7a7466, #8a8d96));
    --line-2: light-dark(#5f5a4e, #a6a9b2);
    --accent: var(--pincite-accent, light-dark(#163b6b, #b4d0f5));
  }
  .citation-quote, .lead { color: var(--ink); }
  .ask:disabled { background: none; box-shadow: inset 0 0 0 1px var(--line-2); }
}
/* Backgrounds and shadows are gone: what they say is said by edges. */
@media (forced-colors: active) {
  :is(.light, .text-body) { forced-color-adjust: none; }
  :is(mark, .text-light) { background: Mark; color: MarkText; forced-color-adjust: none; }
  ::highlight(pincite-found) { background-color: color-mix(in srgb, Highlight 35%, transparent); }
  ::highlight(pincite-found-current) { background-color: color-mix(in srgb, Highlight 50%, transparent); }
  .mark { border-color: currentColor; }
  .citation, button.row-name { border-color: Canvas; }
  .citation[aria-current] { border-color: Highlight; box-shadow: none; outline: 1px solid Highlight; }
  .mark[aria-current], .thumbnail[aria-selected='true'] .thumbnail-page { outline: 3px solid Highlight; }
  .thumbnail-page { border: 1px solid; }
  .tree-row[aria-current] { outline: 1px solid Highlight; outline-offset: -1px; }
  .icon-button:is([aria-pressed='true'], [aria-expanded='true']) { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .note, .bar { border: 1px solid; }
  button:is(.ask, .primary) { border: 1px solid; background: ButtonFace; color: ButtonText; }
  button:is(.ask, .primary):disabled { color: GrayText; }
  .bar-fill, .column-separator:is(:hover, :focus-visible)::after, .pulse { background: Highlight; forced-color-adjust: none; }
  .question:focus-within { outline: 2px solid Highlight; }
}
`);
