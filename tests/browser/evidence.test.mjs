/**
 * An answer saved with its documents, and the file opened by somebody else: from a folder, in a fresh profile, without a
 * network. The quotations are compared again there, changes are seen, and a file made to do harm does none.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { headBytes } from '../../www/evidence/envelope.js';
import { opened } from '../../www/evidence/open.js';
import { packed } from '../../www/evidence/pack.js';
import { decode, encode } from '../../www/single/base85.js';
import { ending } from '../../www/single/template.js';
import { startServer } from '../llm/server.mjs';
import { asRecipient, download, folder, question, saved } from './evidence-file.mjs';
import {
  drop,
  isFocused,
  sample,
  searchable,
  setModel,
  singleFile,
  siteFolder,
  snapshot,
  start,
  stop,
  type,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('../../www/evidence/contents.js').Contents} Contents */

/** The page of an evidence file up to its data, as the site has it. */
let template = '';
before(async () => {
  template = (await readFile(path.join(siteFolder, 'evidence.bin'), 'utf8')).slice(0, -ending.length);
  await start();
});
after(stop);

const passphrase = 'garden wall correct horse';
/** Line above the sources of an answer. @param {Page} page */
const comparison = (page) => page.locator('.thread').getByText(/^Compared on this device/);

/** @param {string} html */
function envelopeOf(html) {
  const elements = [...html.matchAll(/<script type="text\/plain" data-evidence="(\w+)">([^<]*)<\/script>/g)];
  const of = (/** @type {string} */ kind) =>
    elements.flatMap(([, is, text = '']) => (is === kind ? [text] : []));
  return {
    header: of('header')[0] ?? '',
    blocks: of('block').map((textContent) => ({ textContent, remove: () => {} })),
  };
}

/** A file with other contents, sealed by whoever changed them, as one who knows the format can.
 * @param {string} name @param {string} html @param {(contents: Contents) => void} change */
async function forged(name, html, change) {
  const { contents, documents } = await opened(envelopeOf(html), '');
  change(contents);
  const { file } = await packed({
    template: new Blob([template]),
    contents,
    files: documents.map(({ file }) => file),
    passphrase: null,
  });
  return written(name, await file.text());
}

/** @param {string} name @param {string} html */
async function written(name, html) {
  const at = path.join(folder, name);
  await writeFile(at, html);
  return at;
}

/** A file one of whose blocks was changed in place. @param {string} html @param {number} at @param {(bytes: Buffer) => void} change */
function changed(html, at, change) {
  const text = envelopeOf(html).blocks[at]?.textContent ?? '';
  const bytes = Buffer.from(decode(text));
  change(bytes);
  return html.replace(text, () => encode(bytes));
}

/** @type {{ file: string, html: string, told: string } | null} */
let made = null;
/** A file that was saved from the page in one file, made once. */
async function evidence() {
  if (made) return made;
  await withPage(
    async (page) => {
      made = await saved(page, 'evidence.html', async (page) => {
        await page.getByLabel('Title').fill('Complaints <b>to</b> the ombudsman');
        await page.getByLabel('Saved by').fill('A. Lawyer');
        await page.getByRole('textbox', { name: 'Date', exact: true }).fill('2026-11-24');
        await page.getByText('1 answer, 1 whole document, 7 pages, 47 kB.').waitFor();
        await page.getByText(/The file will have about 7\.\d MB/).waitFor();
        assert.deepEqual(await violations(page), []);
      });
    },
    { path: pathToFileURL(singleFile).href, vectors: true, offline: true },
  );
  return /** @type {NonNullable<typeof made>} */ (/** @type {unknown} */ (made));
}

test('saved from a folder without a network, opened so: read-only, compared again, each citation lit on its page', async () => {
  const { file, told, html } = await evidence();
  assert.ok(html.startsWith(template), 'the page of the file is the one that the site would have given');
  await asRecipient(file, async (page) => {
    await page.getByRole('heading', { name: 'Complaints <b>to</b> the ombudsman', level: 1 }).waitFor();
    const head = (await page.locator('.evidence-head').innerText()) ?? '';
    assert.match(head, /A\. Lawyer/);
    assert.match(head, /2026-11-24/);
    const fingerprint = (await page.locator('.evidence-fingerprint').textContent()) ?? '';
    assert.match(fingerprint, /^(?:[0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    assert.ok(told.includes(fingerprint), 'the dialog told the same one');
    await comparison(page).waitFor();
    await page.locator('.thread').getByText('every quote matches its source').waitFor();
    await page.locator('.thread').getByText('Everything agrees with what was saved.').waitFor();
    await page.getByText('These are the bytes that were cited.').waitFor();
    const [bytes] = [await sample('rulebook.pdf')];
    await page.getByText(createHash('sha256').update(bytes.bytes).digest('hex')).waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0, 'nothing can be typed');
    assert.equal(await page.getByRole('button', { name: 'Save with documents' }).count(), 0);
    await page.locator('button.citation').first().click();
    await page.locator('.viewer canvas').first().waitFor();
    await page.locator('.viewer .light').first().waitFor();
    await page.locator('.cited-at').getByText('Citation 1 of').waitFor();
    await page.getByRole('button', { name: 'Next citation' }).click();
    await page.locator('.cited-at').getByText('Citation 2 of').waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('button.citation').first().evaluate(isFocused));
    assert.deepEqual(await violations(page), []);
  });
});

test('the hash that the dialog tells is the file’s', async () => {
  const { file, told } = await evidence();
  assert.ok(
    told.includes(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  );
});

test('nothing goes in but what is cited', async () => {
  const { html } = await evidence();
  const { contents, documents } = await opened(envelopeOf(html), '');
  assert.deepEqual(
    documents.map(({ name }) => name),
    ['rulebook.pdf'],
  );
  const inside = envelopeOf(html).blocks.map(({ textContent }) =>
    Buffer.from(decode(textContent)).toString('latin1'),
  );
  for (const other of ['settlement-draft', 'peppercorn', 'trace', 'queries', 'http://', 'https://'])
    assert.ok(!JSON.stringify(contents).includes(other) && !inside.join('').includes(`"${other}`), other);
  assert.deepEqual(Object.keys(contents), ['title', 'by', 'date', 'answers', 'documents']);
});

test('from the site, a whole conversation; opened over http too', () =>
  withPage(async (page, context) => {
    await page.getByRole('button', { name: 'Add all' }).click();
    await searchable(page, 3);
    await type(page, 'What is the cap on liability?');
    assert.equal(await page.getByRole('button', { name: 'Save the conversation with documents' }).count(), 0);
    const cited = ['contract.pdf', 'rulebook.pdf'];
    const other = (await snapshot(page)).documents.find(({ name }) => !cited.includes(name));
    await page.getByRole('checkbox', { name: `Look in ${other?.title ?? other?.name}` }).uncheck();
    await type(page, question);
    await page.getByRole('button', { name: 'Save the conversation with documents' }).click();
    assert.ok(await page.getByLabel('The whole conversation: 2 answers').isChecked());
    await page.getByText('2 answers, 2 whole documents, 13 pages').waitFor();
    const { html } = await download(page, 'conversation.html');
    const reader = await context.newPage();
    await reader.route('**/sent.html', (route) =>
      route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
    );
    await reader.goto(new URL('/sent.html', page.url()).href);
    for (const at of [0, 1]) await comparison(reader).nth(at).waitFor();
    assert.deepEqual(await reader.locator('.asked').allTextContents(), [
      'What is the cap on liability?',
      question,
    ]);
    assert.equal(
      await reader.locator('.thread').getByText('Everything agrees with what was saved.').count(),
      2,
    );
    const searched = await reader.locator('.thread .searched').allInnerTexts();
    assert.deepEqual(
      searched,
      ['Searched: 2 of 3 documents.'],
      'of the answer that not all was searched for',
    );
  }));

test('under a passphrase nothing can be read before it, a wrong one is said, and the right one opens', async () => {
  let file = '';
  await withPage(async (page) => {
    const made = await saved(page, 'locked.html', async (page) => {
      await page.getByLabel('Lock the file with a passphrase').check();
      await page.getByLabel('Passphrase', { exact: true }).fill('short');
      await page.getByText('At least 8 characters.').waitFor();
      await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
      await page.getByText(/^Strong, by its length/).waitFor();
      await page.getByText(/Without the passphrase nobody can open the file again/).waitFor();
      await page.getByRole('button', { name: 'Save file' }).click();
      assert.ok(await page.getByLabel('The same again').evaluate(isFocused), 'typed once is not enough');
      await page.getByLabel('The same again').fill(passphrase);
      assert.deepEqual(await violations(page), []);
    });
    file = made.file;
    const fingerprint = /(?:[0-9A-Z]{4}-){4}[0-9A-Z]{4}/.exec(made.told)?.[0] ?? '';
    const data = made.html.slice(template.length);
    const bytes = envelopeOf(data).blocks.map(({ textContent }) =>
      Buffer.from(decode(textContent)).toString('latin1'),
    );
    for (const secret of [
      question,
      'ombudsman',
      'rulebook',
      'Client Protection',
      '%PDF',
      fingerprint,
      passphrase,
    ])
      assert.ok(secret !== '' && !`${data}${bytes.join('')}`.includes(secret), secret);
    assert.match(data, /"rounds":6\d{5}/);
  });
  await asRecipient(file, async (page) => {
    await page.getByRole('heading', { name: 'This file is locked' }).waitFor();
    assert.equal(await page.title(), 'Pincite: answers with their documents');
    assert.ok(await page.getByLabel('Passphrase').evaluate(isFocused));
    assert.deepEqual(await violations(page), []);
    await page.keyboard.type('Garden wall correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The passphrase is wrong.').waitFor();
    await page.keyboard.type(passphrase);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: question, level: 1 }).waitFor();
    await page.locator('.thread').getByText('every quote matches its source').waitFor();
  });
  const html = await readFile(file, 'utf8');
  await asRecipient(
    await written(
      'locked-changed.html',
      changed(html, 1, (bytes) => bytes.fill(0, 50, 60)),
    ),
    async (page) => {
      await page.keyboard.type(passphrase);
      await page.keyboard.press('Enter');
      await page.getByText('This file was changed after it was saved.').waitFor();
    },
  );
});

test('a document that was changed is not compared, and the file says that it was changed', async () => {
  const { html } = await evidence();
  const inDocument = (/** @type {Buffer} */ bytes) => bytes.fill(32, bytes.length - 400, bytes.length - 300);
  await asRecipient(await written('document.html', changed(html, 1, inDocument)), async (page) => {
    await page.getByRole('alert').getByText('This file was changed after it was saved').waitFor();
    await page.getByText('Not compared yet with the documents in this file.').waitFor();
    await page.getByText(/^Changed: the document that was cited has/).waitFor();
    assert.equal(await page.getByText('matches its source').count(), 0);
    assert.ok((await page.locator('.citation .status.unchecked').count()) > 0);
  });
});

test('contents that were changed without their hash are said to be', async () => {
  const { html } = await evidence();
  const inContents = (/** @type {Buffer} */ bytes) => bytes.write('not ', bytes.indexOf('may '));
  await asRecipient(await written('contents.html', changed(html, 1, inContents)), async (page) => {
    await page
      .getByRole('alert')
      .getByText(/its contents are not those that its hash was made of/)
      .waitFor();
  });
});

test('whoever changes the contents and their hash changes the fingerprint, and finds no words in the documents', async () => {
  const { html, told } = await evidence();
  const file = await forged('forged.html', html, ({ answers }) => {
    const { citations, statements } = /** @type {Contents['answers'][number]} */ (answers[0]).answer;
    const [first, second] = citations;
    const [statement] = statements;
    assert.ok(first && second && statement);
    first.quote = first.quote.replace('six months', 'nine months');
    statement.text = first.quote;
    // Another page, and the light elsewhere.
    second.page = 1;
    second.spans = [{ ...second.spans[0], page: 1, range: [0, 1], quads: [[0, 0, 9, 0, 0, 9, 9, 9]] }];
    second.quads = [[0, 0, 9, 0, 0, 9, 9, 9]];
  });
  await asRecipient(file, async (page) => {
    await comparison(page).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, 'hashes inside the file agree');
    assert.ok(!told.includes((await page.locator('.evidence-fingerprint').textContent()) ?? ''));
    await page
      .locator('.thread')
      .getByText('Citation 1 was saved as “Quote matches source”; here it is “Not found”.')
      .waitFor();
    await page
      .locator('.thread')
      .getByText(/^Citation 2 stands on p\. CPR-5 \(PDF 5\), not on/)
      .waitFor();
    await page.locator('button.citation').nth(1).click();
    await page.getByText('(5 of 7)', { exact: true }).waitFor();
    await page.locator('.page-view[data-page="5"] .light').first().waitFor();
  });
});

test('files that were cut or made up are refused, with what to do', async () => {
  const { html } = await evidence();
  const header = envelopeOf(html).header;
  const withHeader = (/** @type {string} */ other) => html.replace(header, () => other);
  /** @type {[string, string][]} */
  const cases = [
    [template + ending, 'No answer has been saved in it.'],
    [html.slice(0, -3000), 'It is not whole, or was not made by Pincite.'],
    [
      withHeader('{"format":1,"bytes":99999999999999,"lock":null}'),
      'It claims to be larger than a page can hold.',
    ],
    [withHeader('{"format":1,"bytes":400000000,"lock":null}'), 'It is not whole'],
    [withHeader('{"format":2,"bytes":1,"lock":null}'), 'It was saved by another version of Pincite'],
    [withHeader('{"format":1,"bytes":1,"lock":{"rounds":1,"salt":"00","iv":"00"}}'), 'It is not whole'],
    [changed(html, 0, (bytes) => bytes.writeUInt32BE(0xfffffff0, headBytes - 4)), 'It is not whole'],
    [changed(html, 1, (bytes) => bytes.fill(91, 0, 500)), 'It is not whole'],
  ];
  for (const [at, [text, message]] of cases.entries())
    await asRecipient(await written(`bad-${at}.html`, text), async (page) => {
      await page.getByRole('heading', { name: 'This file cannot be opened' }).waitFor();
      await page.getByText(message).waitFor();
    });
});

test('markup in titles, names and answers stays text, and nothing of it runs', async () => {
  const { html } = await evidence();
  const markup = '</script><img src=x onerror="document.title=1"><script>document.title=1</script>';
  const file = await forged('markup.html', html, (contents) => {
    contents.title = markup;
    contents.by = markup;
    for (const document of contents.documents) {
      document.name = markup;
      document.title = markup;
    }
    for (const answered of contents.answers) {
      answered.question = markup;
      answered.answer.message = markup;
      for (const statement of answered.answer.statements) statement.text = markup;
      for (const citation of answered.answer.citations) {
        citation.document = markup;
        citation.sectionPath = [markup];
        citation.pageLabel = markup;
      }
    }
  });
  await asRecipient(file, async (page) => {
    await comparison(page).waitFor();
    await page.locator('button.citation').first().click();
    await page.locator('.viewer .light').first().waitFor();
    assert.equal(await page.title(), `${markup} · Pincite`);
    assert.equal(await page.locator('pincite-evidence img').count(), 0);
    assert.equal(await page.locator('pincite-evidence script').count(), 0);
  });
});

test('saving can be stopped, and saves nothing then', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf')]);
    await searchable(page, 1);
    await type(page, question);
    /** @type {string[]} */
    const downloads = [];
    page.on('download', (file) => downloads.push(file.suggestedFilename()));
    await page.getByRole('button', { name: 'Save with documents' }).click();
    await page.getByText(/The file will have about/).waitFor();
    await page.getByRole('button', { name: 'Save file' }).evaluate((save) => {
      const cancel = /** @type {HTMLElement} */ (save.nextElementSibling);
      /** @type {HTMLElement} */ (save).click();
      cancel.click();
    });
    await page.locator('.evidence-outcome').getByText('Cancelled. Nothing was saved.').waitFor();
    await page.waitForTimeout(500);
    assert.deepEqual(downloads, []);
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    assert.equal(await page.getByRole('dialog').count(), 0);
  }));

test('a document that is no longer in the library is named, and nothing is saved without it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf')]);
    await searchable(page, 1);
    await type(page, question);
    await page.getByRole('button', { name: 'Remove rulebook.pdf' }).click();
    await page.getByRole('button', { name: 'Save with documents' }).click();
    await page.getByText('No longer in the library: rulebook.pdf.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save file' }).isDisabled());
  }));

test('a site without the page of the file says so', () =>
  withPage(
    async (page, context) => {
      await context.route('**/evidence.bin*', (route) => route.fulfill({ status: 404 }));
      await drop(page, [await sample('rulebook.pdf')]);
      await searchable(page, 1);
      await type(page, question);
      await page.getByRole('button', { name: 'Save with documents' }).click();
      await page.getByRole('button', { name: 'Save file' }).click();
      await page
        .locator('.evidence-outcome')
        .getByText(/The file could not be made: evidence\.bin could not be loaded: status 404/)
        .waitFor();
    },
    { provoked: /404/ },
  ));

test('an answer by a model: its quotations and figures are checked again, and whose server wrote it stays out', async () => {
  const server = await startServer({ key: 'sk-key' });
  const cap = 'the total liability of each party under this Agreement in any contract year';
  const reply = (/** @type {import('../llm/prompt.mjs').Prompt} */ { passages }) => {
    const mark = `[P${passages.findIndex(({ text }) => text.includes(cap)) + 1}]`;
    return `The cap is 125 per cent of the Charges: “${cap}, whether in contract, tort (including negligence) or otherwise, must not exceed 125 per cent” ${mark}. For some breaches it is £2,000,000: “In the case of breach of Section 5.1 or Section 5.2, the limit is £2,000,000 in total” ${mark}. Loss of profit is excluded ${mark}. It says “a peppercorn a year is enough for anybody” ${mark}.`;
  };
  const extract = (/** @type {import('../llm/prompt.mjs').Prompt} */ { passages }) => {
    const at = passages.findIndex(({ text }) => text.includes(cap));
    const text = passages[at]?.text.match(/Subject to Section 6\.1, the total.*?£2,000,000 in total\./s)?.[0];
    return JSON.stringify({ quotes: text ? [{ p: at + 1, text }] : [] });
  };
  let html = '';
  try {
    await withPage(async (page) => {
      server.reset({ key: 'sk-key', replies: { extract, read: reply } });
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await setModel(page, { kind: 'openai', url: server.url, model: 'scripted', key: 'sk-key' });
      await type(page, 'What is the cap on liability?');
      await page.getByRole('button', { name: 'Save with documents' }).click();
      ({ html } = await download(page, 'model.html'));
    });
  } finally {
    await server.close();
  }
  const { contents } = await opened(envelopeOf(html), '');
  const said = new Set(contents.answers[0]?.answer.citations.map(({ status }) => status));
  assert.deepEqual([...said].sort(), ['cited', 'not-found', 'repaired', 'verified']);
  for (const secret of ['scripted', 'sk-key', new URL(server.url).host, 'P1'])
    assert.ok(!JSON.stringify(contents).includes(secret), secret);
  await asRecipient(path.join(folder, 'model.html'), async (page) => {
    await comparison(page).waitFor();
    await page.locator('.thread').getByText('Everything agrees with what was saved.').waitFor();
    await page.getByText('Written by a language model.').waitFor();
    for (const word of ['Repaired', 'Cited, not quoted', 'Not found'])
      await page.locator('.citation .status', { hasText: word }).first().waitFor();
  });
  const file = await forged('model-forged.html', html, ({ answers }) => {
    const { statements, citations } = /** @type {Contents['answers'][number]} */ (answers[0]).answer;
    for (const statement of statements)
      statement.text = statement.text
        .replace('125 per cent of', '175 per cent of')
        .replace('In the case of', 'In no case of');
    for (const citation of citations) if (citation.status === 'repaired') citation.status = 'verified';
  });
  await asRecipient(file, async (page) => {
    await comparison(page).waitFor();
    const findings = page.locator('.evidence-findings');
    await findings.getByText(/175.* not stand around what is cited for it/).waitFor();
    await findings.getByText(/In no case of.* quotes its sources otherwise than they stand/).waitFor();
  });
});

test('a document with a password of its own goes in locked, and is compared once the recipient has opened it', async () => {
  await withPage(async (page) => {
    await drop(page, [await sample('hostile/locked.pdf')]);
    await page.getByLabel('Password of locked.pdf').fill('sesame 2026');
    await page.keyboard.press('Enter');
    await searchable(page, 1);
    await type(page, 'What is the cap on liability?');
    await page.getByRole('button', { name: 'Save with documents' }).click();
    await page.getByText(/^locked\.pdf: locked with a password of its own, which does not go in/).waitFor();
    const { html } = await download(page, 'with-locked.html');
    assert.ok(!html.includes('sesame'));
  });
  await asRecipient(path.join(folder, 'with-locked.html'), async (page) => {
    await page.getByText('Not compared yet with the documents in this file.').waitFor();
    await page.getByText(/^Locked with a password of its own\./).waitFor();
    for (const [password, told] of [
      ['wrong', 'That password does not open it.'],
      ['sesame 2026', 'Read on this device.'],
    ]) {
      await page.getByLabel('Password of the document').fill(password ?? '');
      await page.keyboard.press('Enter');
      await page.getByText(told ?? '').waitFor();
    }
    await comparison(page).waitFor();
    await page.locator('button.citation').first().click();
    await page.locator('.viewer .light').first().waitFor();
  });
});

test('Word files and Chinese answers are compared as well, in either theme', async () => {
  let file = '';
  await withPage(
    async (page) => {
      await drop(page, [await sample('word/complaints-zh.docx')]);
      await searchable(page, 1);
      await page.getByRole('textbox', { name: '您的问题' }).fill('金融机构应当在多长时间内答复投诉？');
      await page.keyboard.press('Enter');
      await page.locator('.answer-card[data-state=answered]').waitFor();
      await page.getByRole('button', { name: '连同文件保存' }).click();
      const [made] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: '保存文件' }).click(),
      ]);
      file = path.join(folder, 'chinese.html');
      await made.saveAs(file);
    },
    { locale: 'zh-CN' },
  );
  await asRecipient(
    file,
    async (page) => {
      await page.locator('.thread').getByText('所有引文均与出处一致').waitFor();
      await page.locator('.thread').getByText('一切与保存时相符。').waitFor();
      await page.locator('button.citation').first().click();
      await page.locator('.text-light').first().waitFor();
      assert.deepEqual(await violations(page), []);
    },
    { locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  );
});
