/** The style sheet of the tour; it goes with the widget's, which has the colours. */

export const styles = new CSSStyleSheet();

styles.replaceSync(`
.tour { position: absolute; inset: 0 auto auto 0; z-index: 7; display: grid; gap: 0.5rem; width: min(22rem, calc(100% - 24px)); padding: 0.9rem 1rem 0.8rem; border: 1px solid var(--line-2); border-radius: var(--radius); background: var(--card); box-shadow: 0 0 0 1px var(--card), 0 12px 36px -8px rgb(0 0 0 / 0.4); }
.tour h2 { font: 600 1.0625rem/1.3 var(--serif); }
.tour > p { font-size: 0.9375rem; line-height: 1.5; }
.tour-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 0.2rem; }
.tour-actions .fine { margin-right: auto; font-variant-numeric: tabular-nums; }
.tour-actions .link { min-height: 1.75rem; padding: 0 0.3rem; }
.tour-actions :is(.quiet, .primary) { min-height: 1.9rem; font-size: 0.875rem; }
.tour-actions [aria-disabled='true'] { opacity: 0.45; cursor: default; }
.tour-ring { position: absolute; z-index: 6; border: 2px solid var(--accent); border-radius: 12px; box-shadow: 0 0 0 4px color-mix(in srgb, var(--accent) 22%, transparent); pointer-events: none; }
`);
