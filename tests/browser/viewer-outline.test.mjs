/**
 * The sections of an open document as a tree: read from its headings, else from its bookmarks, gone through by keys, each
 * leading to its place; and bookmarks that were made to do harm.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drop, sample, searchable, start, stop, violations, withPage } from './harness.mjs';
import { pagesPdf } from './pdf-file.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

/** Beside the document, not over it. */
const wide = { viewport: { width: 1700, height: 900 } };

/** Opens a document and its sections. @param {Page} page @param {{ name: string, bytes: Uint8Array }} file */
async function opened(page, file) {
  await drop(page, [file]);
  await searchable(page, 1);
  await page.locator('button.row-name').click();
  await page.locator('.page-view canvas, .text-body *').first().waitFor();
  await page.getByRole('button', { name: 'Sections' }).click();
}

/** Title of the row that has the focus. @param {Page} page */
function focused(page) {
  return page.evaluate(
    () => document.querySelector('pincite-widget')?.shadowRoot?.activeElement?.textContent ?? '',
  );
}

/** Waits until a row has the focus. @param {Page} page @param {string} title */
async function isAt(page, title) {
  await page.waitForFunction(
    (title) => document.querySelector('pincite-widget')?.shadowRoot?.activeElement?.textContent === title,
    title,
  );
}

test('the sections of a PDF are a tree by its headings, which keys go through', () =>
  withPage(async (page) => {
    await opened(page, await sample('contract.pdf'));
    const tree = page.getByRole('tree', { name: 'Sections' });
    await isAt(page, 'Article 1. Definitions and interpretation');
    const first = tree.getByRole('treeitem').first();
    assert.equal(await first.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(
      await Promise.all(
        ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) => first.getAttribute(name)),
      ),
      ['1', '1', '9'],
    );
    /** @type {[string, string][]} */
    const steps = [
      ['ArrowDown', 'Section 1.1 Definitions'],
      ['ArrowRight', 'Section 1.1 Definitions'],
      ['ArrowLeft', 'Article 1. Definitions and interpretation'],
      ['ArrowRight', 'Section 1.1 Definitions'],
      ['ArrowUp', 'Article 1. Definitions and interpretation'],
      ['ArrowLeft', 'Article 1. Definitions and interpretation'],
      ['ArrowDown', 'Article 2. Term'],
      ['End', 'Part C Contacts'],
      ['Home', 'Article 1. Definitions and interpretation'],
    ];
    for (const [key, title] of steps) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), title, key);
    }
    assert.equal(await first.getAttribute('aria-expanded'), 'false', 'folded by the arrow');
    await page.keyboard.type('section 6.3');
    assert.equal(
      await focused(page),
      'Section 6.3 Excluded loss',
      'letters, digits and a space are typed ahead',
    );
    assert.equal(await tree.locator('[tabindex="0"]').count(), 1, 'one stop for the Tab key');
  }, wide));

test('a section leads to its heading on its page, and the focus stays in the tree', () =>
  withPage(async (page) => {
    await opened(page, await sample('contract.pdf'));
    for (const [title, number] of /** @type {const} */ ([
      ['Section 8.4 Disputes', 5],
      ['Article 6. Liability', 3],
      ['Part C Contacts', 6],
    ])) {
      await page.getByRole('treeitem', { name: title }).locator('.tree-title').click();
      const live = page.locator('.shell > [role=status]', { hasText: `${title}, page ${number}.` });
      await live.waitFor({ state: 'attached' });
      const isSeen = await page.evaluate((title) => {
        const root = document.querySelector('pincite-widget')?.shadowRoot;
        const pane = root?.querySelector('.viewer-pages')?.getBoundingClientRect();
        const words = title.split(' ').at(-1) ?? '';
        return [...(root?.querySelectorAll('.text-layer span') ?? [])].some((span) => {
          const box = span.getBoundingClientRect();
          return (
            span.textContent?.endsWith(words) && pane && box.top >= pane.top && box.bottom <= pane.bottom
          );
        });
      }, title);
      assert.ok(isSeen, `${title} is in sight`);
    }
    assert.equal(await focused(page), 'Part C Contacts');
    await page.keyboard.press('Escape');
    await page.getByRole('tree').waitFor({ state: 'hidden' });
    assert.ok(await page.locator('.viewer').isVisible(), 'the viewer stays');
  }, wide));

test('a section of a Word file leads to its heading', () =>
  withPage(async (page) => {
    await opened(page, await sample('word/rulebook.docx'));
    await page.getByRole('treeitem', { name: '6.2 Records' }).locator('.tree-title').click();
    await page.waitForFunction(() => {
      const root = document.querySelector('pincite-widget')?.shadowRoot;
      const pane = root?.querySelector('.viewer-text')?.getBoundingClientRect();
      const heading = [...(root?.querySelectorAll('.text-heading') ?? [])].find(
        ({ textContent }) => textContent === '6.2 Records',
      );
      const box = heading?.getBoundingClientRect();
      return pane && box && box.top >= pane.top && box.bottom <= pane.bottom;
    });
  }, wide));

/** Plain text, in which the engine sees no headings. */
const pages = Array.from({ length: 6 }, (_, at) => [
  `the firm keeps its records of the year ${at}, and`,
  'so on.',
]);

/** @param {string} name @param {(first: number) => string[]} outline objects, the root first */
const bookmarked = (name, outline) => ({
  name,
  bytes: pagesPdf(pages, { catalog: '/Outlines $ 0 R', more: outline }),
});

test('a PDF without headings is gone through by its bookmarks; one that leads nowhere says so', () =>
  withPage(async (page) => {
    const file = bookmarked('bookmarks.pdf', (first) => [
      `<< /Type /Outlines /First ${first + 1} 0 R /Last ${first + 3} 0 R /Count 3 >>`,
      `<< /Title (Third year) /Parent ${first} 0 R /Next ${first + 2} 0 R /Dest [8 0 R /XYZ 0 700 null] >>`,
      `<< /Title (Nowhere) /Parent ${first} 0 R /Next ${first + 3} 0 R /Dest [(none) /Fit] >>`,
      `<< /Title (Away) /Parent ${first} 0 R /A << /S /URI /URI (https://example.org/) >> >>`,
    ]);
    await opened(page, file);
    const row = (/** @type {string} */ name) => page.getByRole('treeitem', { name }).locator('.tree-title');
    await row('Third year').click();
    await page
      .locator('.shell > [role=status]', { hasText: 'Third year, page 3.' })
      .waitFor({ state: 'attached' });
    for (const name of ['Nowhere', 'Away']) {
      await row('Third year').click();
      await row(name).click();
      const live = page.locator('.shell > [role=status]', { hasText: 'leads to no page' });
      await live.waitFor({ state: 'attached' });
    }
    assert.equal(await page.getByRole('textbox', { name: 'Page', exact: true }).inputValue(), '3');
    assert.equal(page.url().startsWith('https:'), false);
  }, wide));

/** What pdf.js says of them: of the deep ones its worker cannot send its reply, which the viewer does not wait for. */
const provoked = /Invalid outline item|Maximum call stack size exceeded/;

/** Number of rows that are listed; -1 where it depends on the time that pdf.js takes. @type {[string, (first: number) => string[], number][]} */
const hostile = [
  [
    'in a circle',
    (first) => [
      `<< /First ${first + 1} 0 R /Last ${first + 2} 0 R >>`,
      `<< /Title (One) /Parent ${first} 0 R /Next ${first + 2} 0 R /First ${first + 1} 0 R /Dest [4 0 R /Fit] >>`,
      `<< /Title (Two) /Parent ${first} 0 R /Next ${first + 1} 0 R /First ${first} 0 R /Dest [4 0 R /Fit] >>`,
    ],
    2,
  ],
  [
    '100,000 in a row',
    (first) => [
      `<< /First ${first + 1} 0 R >>`,
      ...Array.from(
        { length: 100_000 },
        (_, at) => `<< /Title (Entry ${at}) /Next ${first + 2 + at} 0 R /Dest [4 0 R /Fit] >>`,
      ),
    ],
    -1,
  ],
  [
    '20,000 deep',
    (first) => [
      `<< /First ${first + 1} 0 R >>`,
      ...Array.from(
        { length: 20_000 },
        (_, at) => `<< /Title (Level ${at}) /First ${first + 2 + at} 0 R /Dest [4 0 R /Fit] >>`,
      ),
    ],
    -1,
  ],
  [
    'with odd titles',
    (first) => [
      `<< /First ${first + 1} 0 R >>`,
      `<< /Title (<img src=x onerror=alert\\(1\\)>) /Next ${first + 2} 0 R /Dest [4 0 R /Fit] >>`,
      `<< /Title (${'x'.repeat(50_000)}) /Next ${first + 3} 0 R /Dest [4 0 R /Fit] >>`,
      `<< /Title <FEFF202E00650076006906C> /Next ${first + 4} 0 R /Dest [4 0 R /Fit] >>`,
      `<< /Title () /Dest [4 0 R /Fit] >>`,
    ],
    3,
  ],
];

for (const [name, outline, n] of hostile) {
  test(`bookmarks ${name} are capped and harm nothing`, (t) =>
    withPage(
      async (page) => {
        const begun = Date.now();
        await opened(page, bookmarked('hostile.pdf', outline));
        const read = page.locator('.tree-row').first().or(page.getByText('neither headings nor bookmarks'));
        await read.waitFor({ timeout: 30_000 });
        t.diagnostic(`${name}: ${Date.now() - begun} ms, ${await page.locator('.tree-row').count()} rows`);
        const rows = await page.locator('.tree-row').count();
        assert.ok(n < 0 ? rows <= 5_000 : rows === n, `${rows} rows`);
        assert.equal(await page.locator('.tree-row img').count(), 0, 'a title is text');
        const longest = await page
          .locator('.tree-title')
          .evaluateAll((titles) => Math.max(0, ...titles.map(({ textContent }) => textContent?.length ?? 0)));
        assert.ok(longest <= 200);
        // The document is still there and can be turned.
        await page.getByRole('button', { name: 'Next page' }).click();
        assert.equal(await page.getByRole('textbox', { name: 'Page', exact: true }).inputValue(), '2');
      },
      { ...wide, provoked },
    ));
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1700, 390]) {
    test(`axe finds nothing with the sections open (${colorScheme}, ${width} wide)`, () =>
      withPage(
        async (page) => {
          await drop(page, [await sample('contract.pdf')]);
          await searchable(page, 1);
          if (width < 700) await page.getByRole('button', { name: /^Documents/ }).click();
          await page.locator('button.row-name').click();
          await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
          await page.getByRole('button', { name: 'Sections' }).click();
          await page.getByRole('treeitem').first().waitFor();
          assert.deepEqual(await violations(page), []);
          const box = await page.getByRole('treeitem').first().boundingBox();
          assert.ok(box && box.height >= 24);
          if (width > 700) return;
          await page.getByRole('treeitem', { name: 'Article 6. Liability' }).locator('.tree-title').click();
          await page.getByRole('tree').waitFor({ state: 'hidden' });
        },
        { colorScheme, viewport: { width, height: 800 } },
      ));
  }
}
