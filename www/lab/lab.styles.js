/** The style sheet of the lab; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.lab-inner { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.8rem; max-width: 56rem; margin: 0 auto; padding: 1.1rem 1.5rem 4rem; }
.lab-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; }
.lab h1 { font: 600 1.75rem/1.2 var(--serif); letter-spacing: -0.01em; }
.lab h2 { font: 600 1.1875rem/1.35 var(--serif); }
.lab h3, .lab h4 { font: 600 0.875rem/1.4 var(--sans); }
.lab-lead { max-width: 42rem; color: var(--ink-2); }
.lab { scroll-padding-top: 3.2rem; }
.lab-nav { position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding: 0.5rem 0; background: var(--paper); font-size: 0.875rem; }
.lab section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.8rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
.lab .dialog-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.8rem; }
.lab :is(textarea, input:not([type='checkbox']), select), .lab-marker :is(textarea, input) { width: 100%; min-height: 2rem; padding: 0.25rem 0.5rem; border: 1px solid var(--line-2); border-radius: 7px; background: var(--card); color: var(--ink); font: inherit; }
.lab .filter-check { width: fit-content; }
.lab .filter-check > input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.lab progress { flex: 1 1 8rem; accent-color: var(--accent); }
.lab .link, .lab summary { min-height: 1.5rem; }
.lab-nav .link { margin-block: 0; }
.lab q { display: block; font-family: var(--serif); overflow-wrap: anywhere; }
.lab-note:empty { display: none; }
.lab-note { display: grid; gap: 0.5rem; justify-items: start; }
.lab-note > :is(.note, .lab-scroll) { width: 100%; margin: 0; }
.lab-form { display: grid; gap: 0.8rem; padding: 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); }
.lab-inline { display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem 0.9rem; }
.lab-inline > .settings-field { flex: 1 1 12rem; min-width: 0; }
.lab-questions { display: grid; }
.lab-questions > li { display: flex; align-items: flex-start; gap: 0.3rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.lab-question { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.lab-places { display: grid; gap: 0.3rem; font-size: 0.875rem; }
.lab-places > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.6rem; }
.lab-settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr)); align-items: end; gap: 0.7rem 0.9rem; }
.lab-settings .filter-field :is(input, select) { max-width: none; }
.lab-summary { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.lab-scroll { overflow-x: auto; }
.lab-table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.lab-table :is(th, td) { padding: 0.3rem 0.7rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: baseline; }
.lab-table :is(th, td) { white-space: nowrap; }
.lab-plot .lab-table td { white-space: normal; }
.lab-results { display: grid; }
.lab-results > li { border-bottom: 1px solid var(--line); }
.lab-results > li > details > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.6rem; padding: 0.45rem 0; cursor: pointer; overflow-wrap: anywhere; }
.lab-results > li > details > summary:hover { background: var(--accent-soft); }
.lab-rank { flex: none; min-width: 4.6rem; padding: 0.05rem 0.45rem; border-radius: 5px; background: var(--accent-soft); color: var(--accent); font-size: 0.8125rem; font-weight: 600; text-align: center; }
.lab-rank.missed { background: var(--warn-paper); color: var(--warn); }
.lab-detail { display: grid; gap: 0.4rem; padding: 0 0 0.9rem 1rem; font-size: 0.875rem; }
.lab-hits { display: grid; gap: 0.5rem; padding-left: 1.2rem; list-style: decimal; }
.lab-hits .lab-rank { margin-left: 0.5rem; }
.lab-text { overflow-wrap: anywhere; }
.lab-why { font-size: 0.8125rem; color: var(--ink-2); overflow-wrap: anywhere; }
.lab-why ul { padding-left: 1rem; }
.lab-why li { padding: 0.1rem 0; }
.lab-plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.2rem; }
.lab-plot { min-width: 0; margin: 0; }
.lab-plot svg { width: 100%; height: auto; max-width: 30rem; }
.lab-plot details { max-height: 22rem; overflow: auto; font-size: 0.8125rem; }
.plot-label { fill: var(--ink-2); font: 400 11px var(--sans); }
.plot-axis { stroke: var(--line-2); stroke-width: 1; }
.plot-now, .plot-before { fill: none; stroke: var(--accent); stroke-width: 2.5; }
.plot-before { stroke: var(--ink-2); stroke-dasharray: 5 4; }
.plot-gain { fill: var(--accent); }
.plot-loss { fill: var(--danger); }
.plot-dot { fill: var(--accent); fill-opacity: 0.7; }
.plot-key { display: flex; gap: 1rem; }
.plot-key > span::before { content: ''; display: inline-block; width: 1.6rem; margin-right: 0.4rem; vertical-align: middle; border-top: 2.5px solid var(--accent); }
.plot-key > .key-plot-before::before { border-top: 2.5px dashed var(--ink-2); }
.lab-marker { flex: none; display: grid; gap: 0.5rem; padding: 0.7rem 1rem; border-top: 1px solid var(--line); background: var(--card); font-size: 0.875rem; }
.lab-words { flex: 1 1 14rem; min-width: 0; }
.lab-marker div > label { display: block; margin-bottom: 0.25rem; }
:is(.lab, .lab-marker) p:empty { display: none; }
@container pincite (max-width: 46rem) {
  .lab-inner { padding: 0.9rem 1rem 3rem; }
  .lab { scroll-padding-top: 0; }
  .lab-nav { position: static; }
  /* The interval goes below its difference, so that a phone shows both. */
  .lab-table thead th { white-space: normal; vertical-align: bottom; }
  .lab-table td > .fine { display: block; }
  .shell.in-lab > .library { display: none; }
  .shell.in-lab.library-open > .library { display: flex; }
}
@media (forced-colors: active) {
  .lab-rank { border: 1px solid; }
  .plot-now, .plot-gain, .plot-dot { stroke: Highlight; fill: Highlight; }
  .plot-now { fill: none; }
  .plot-loss { fill: CanvasText; }
}
`);
