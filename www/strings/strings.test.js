import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EngineError, engineCodes, pageCodes, toPlain } from '../engine/errors.js';
import { LlmError, llmCodes, llmReasons } from '../llm/errors.js';
import { citedAt } from '../widget/places.js';
import { enCheck } from './check/en.js';
import { checkStringsOf } from './check/index.js';
import { zhCheck } from './check/zh.js';
import { en } from './en.js';
import { describe, describeDiag, describeFault } from './errors.js';
import { stringsOf } from './index.js';
import { enLab } from './lab/en.js';
import { labStringsOf } from './lab/index.js';
import { zhLab } from './lab/zh.js';
import { libraryReasons } from '../remote/errors.js';
import { enLibraryFile } from './library-file/en.js';
import { libraryFileStringsOf } from './library-file/index.js';
import { zhLibraryFile } from './library-file/zh.js';
import { enRemote } from './remote/en.js';
import { remoteStringsOf } from './remote/index.js';
import { zhRemote } from './remote/zh.js';
import { enTour } from './tour/en.js';
import { tourStringsOf } from './tour/index.js';
import { zhTour } from './tour/zh.js';
import { zh } from './zh.js';

const www = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Kind of each string by its path: `group.key`. @param {object} strings @returns {Map<string, string>} */
function shape(strings) {
  /** @type {Map<string, string>} */
  const kinds = new Map();
  for (const [group, texts] of Object.entries(strings)) {
    if (typeof texts !== 'object') kinds.set(group, typeof texts);
    else for (const [key, text] of Object.entries(texts)) kinds.set(`${group}.${key}`, kindOf(text));
  }
  return kinds;
}

/** @param {unknown} text @returns {string} */
function kindOf(text) {
  if (Array.isArray(text)) return `list of ${text.length}`;
  return text === null ? 'own' : typeof text;
}

/** The modules that use strings. */
async function sources() {
  const files = (await readdir(www, { recursive: true })).filter(
    (file) =>
      /^(?:device|evidence|widget|viewer|strings)[/\\].*\.js$/.test(file) &&
      !/(?:test|en|zh)\.js$/.test(file),
  );
  return (await Promise.all(files.map((file) => readFile(path.join(www, file), 'utf8')))).join('\n');
}

test('both languages have the same strings', () => {
  assert.deepEqual([...shape(zhLab)].sort(), [...shape(enLab)].sort());
  assert.deepEqual([...shape(zhRemote)].sort(), [...shape(enRemote)].sort());
  assert.deepEqual([...shape(zhLibraryFile)].sort(), [...shape(enLibraryFile)].sort());
  assert.deepEqual([...shape(zhTour)].sort(), [...shape(enTour)].sort());
  assert.deepEqual([...shape({ check: zhCheck })].sort(), [...shape({ check: enCheck })].sort());
  const [english, chinese] = [shape(en), shape(zh)];
  assert.deepEqual([...chinese.keys()].sort(), [...english.keys()].sort());
  for (const [name, kind] of english) {
    if (kind === 'own') assert.notEqual(chinese.get(name), 'own', `${name} has no English to fall back to`);
    else assert.equal(chinese.get(name), kind, name);
  }
});

test('no string is empty in one language alone, and none of the Chinese is English', () => {
  /** @param {unknown} text @param {string} name */
  const check = (text, name) => {
    if (Array.isArray(text)) for (const [at, each] of text.entries()) check(each, `${name}.${at}`);
    else if (typeof text === 'string' && !['lang', 'endpoint.anthropic'].includes(name))
      assert.ok(text === '' || /[\u3000-\u9fff]/.test(text) || text.startsWith('/'), `${name}: ${text}`);
  };
  const others = { tour: zhTour, libraryFile: zhLibraryFile, check: zhCheck };
  for (const [group, texts] of [zh, zhLab, zhRemote, others].flatMap((all) => Object.entries(all)))
    if (typeof texts === 'object')
      for (const [key, text] of Object.entries(texts)) check(text, `${group}.${key}`);
});

test('every string is used, and none that is used is missing', async () => {
  const source = await sources();
  /** Groups that are read by a key that is computed, so that each of their keys counts as used. */
  const tables = new Set([
    'steps',
    'skipped',
    'places',
    'profiles',
    'jobs',
    'unsupported',
    'conflicts',
    'legalStatus',
    'statuses',
    'degraded',
    'outcomes',
    'errors',
    'diags',
    'llm',
    'question',
    'keyPlaces',
    'keyActions',
  ]);
  for (const group of tables) assert.match(source, new RegExp(`\\b${group}\\b`), group);
  for (const name of shape(en).keys()) {
    const [group = '', key] = name.split('.');
    if (key === undefined || tables.has(group)) continue;
    const used =
      new RegExp(`\\b${group}\\.${key}\\b`).test(source) ||
      new RegExp(`\\b(?:texts|format|own|answer|spoken|filter|library|glossary|settings)\\.${key}\\b`).test(
        source,
      ) ||
      new RegExp(
        `\\{[^{}]*\\b${key}\\b[^{}]*\\} = (?:this\\.#strings|strings|host\\.strings)\\.${group}\\b`,
      ).test(source);
    assert.ok(used, `${name} is used by nobody`);
  }
  for (const [, group = '', key = ''] of source.matchAll(/\bstrings\.(\w+)\.(\w+)/g))
    assert.ok(shape(en).has(`${group}.${key}`), `strings.${group}.${key} is missing`);
});

test('every string of the lab is used, and none that is used is missing', async () => {
  const folder = path.join(www, 'lab');
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!test)\.js$/.test(file));
  const source = (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join(
    '\n',
  );
  for (const key of Object.keys(enLab.lab)) assert.match(source, new RegExp(`\\btexts\\.${key}\\b`), key);
  for (const [, key = ''] of source.matchAll(/\btexts\.(\w+)/g))
    assert.ok(Object.hasOwn(enLab.lab, key), key);
  for (const group of Object.keys(enLab)) assert.match(source, new RegExp(`\\bstrings\\.${group}\\b`), group);
});

test('every string of a library on a server is used, and none that is used is missing', async () => {
  const source = await readFile(path.join(www, 'remote/panel.js'), 'utf8');
  for (const key of Object.keys(enRemote.remote))
    assert.match(source, new RegExp(`\\b(?:texts|#texts)\\.${key}\\b`), key);
  for (const [, key = ''] of source.matchAll(/(?:\btexts|#texts)\.(\w+)/g))
    assert.ok(Object.hasOwn(enRemote.remote, key), key);
  for (const strings of [enRemote, zhRemote])
    for (const reason of libraryReasons) {
      const [title, hint] = strings.reasons[reason];
      assert.ok(title('library.example') !== '' && (hint !== '' || reason === 'cancelled'), reason);
    }
});

test('every step of the tour has its words', async () => {
  const source = await readFile(path.join(www, 'widget/tour.js'), 'utf8');
  for (const step of Object.keys(enTour)) assert.match(source, new RegExp(`\\['${step}', \\[`), step);
});

test('every string of a library as a file is used, and none that is used is missing', async () => {
  const source = await readFile(path.join(www, 'library-file/save-library.js'), 'utf8');
  for (const key of Object.keys(enLibraryFile)) assert.match(source, new RegExp(`\\btexts\\.${key}\\b`), key);
  for (const [, key = ''] of source.matchAll(/\btexts\.(\w+)/g))
    assert.ok(Object.hasOwn(enLibraryFile, key), key);
});

test('a library file of another format is named by its number, in both languages', () => {
  const message = 'format 7 of packed libraries, this page reads 1';
  for (const strings of [en, zh])
    assert.match(describe(strings, { code: 'packed-version', message, hint: '' }).title, / 7/);
});

test('a language is chosen by its tag; one that is not there is English', () => {
  assert.deepEqual(
    ['zh', 'zh-CN', 'ZH-Hans', 'en-GB', 'de', ''].map((tag) => stringsOf(tag).lang),
    ['zh', 'zh', 'zh', 'en', 'en', 'en'],
  );
  assert.deepEqual([labStringsOf(zh.lang), labStringsOf(en.lang)], [zhLab, enLab]);
  assert.deepEqual([remoteStringsOf(zh.lang), remoteStringsOf(en.lang)], [zhRemote, enRemote]);
  assert.deepEqual(
    [libraryFileStringsOf(zh.lang), libraryFileStringsOf(en.lang)],
    [zhLibraryFile, enLibraryFile],
  );
  assert.deepEqual([tourStringsOf(zh.lang), tourStringsOf(en.lang)], [zhTour, enTour]);
  assert.deepEqual([checkStringsOf(zh.lang), checkStringsOf(en.lang)], [zhCheck, enCheck]);
});

test('every code of an error has words in both languages', () => {
  for (const strings of [en, zh]) {
    for (const code of [...engineCodes, ...pageCodes])
      assert.notEqual(describe(strings, { code, message: '', hint: '' }).title, '', code);
    for (const reason of [...llmCodes, ...llmReasons]) {
      const fault = new LlmError('bad-config', 'as the error says', { reason });
      assert.notEqual(describeFault(strings, fault).message, '', reason);
    }
  }
});

test('the README has each status with its word', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  for (const [status, [word]] of Object.entries(en.statuses)) {
    assert.ok(readme.includes(`| \`${status}\` | ${word} |`), status);
  }
});

test('English shows the words of an error, Chinese goes by its code', () => {
  const error = toPlain(new EngineError('pdf-invalid', 'no header', 'do this'));
  assert.equal(describe(en, error).hint, 'Do this.');
  assert.match(describe(zh, error).hint, /PDF 阅读器/);
  const workbook = {
    code: /** @type {const} */ ('format-unknown'),
    message: 'this is an Excel workbook',
    hint: '',
  };
  assert.equal(describe(en, workbook).title, 'This is an Excel workbook');
  assert.equal(describe(zh, workbook).title, '这不是 PDF 或 Word 文档');
  const diag = { code: 'no-text-layer', message: 'page 3 has no text', hint: 'scan it' };
  assert.equal(describeDiag(en, diag, ' (page 3)'), 'Page 3 has no text (page 3). Scan it.');
  assert.match(describeDiag(zh, diag, '（第 3 页）'), /没有文字层（第 3 页）。/);
  assert.equal(
    describeDiag(zh, { ...diag, code: 'of-a-later-version' }, ''),
    'Page 3 has no text。Scan it。',
  );
  const covered = {
    code: 'covered-text',
    message: '3 passages are covered in this document',
    hint: 'the text is still in the file',
  };
  assert.equal(
    describeDiag(en, covered, ' (page 2)', 3),
    '3 passages are covered in this document (page 2). The text is still in the file.',
  );
  assert.match(describeDiag(zh, covered, '（第 2 页）', 3), /^此文件中有 3 处文字被遮盖（第 2 页）。/);
  const illegible = {
    code: 'illegible-text',
    message: 'most of the text of the document forms no words',
    hint: 'its text cannot be read: run text recognition (OCR) on the file first',
  };
  assert.match(describeDiag(en, illegible, '', 0), /Its text cannot be read: run text recognition \(OCR\)/);
  assert.match(describeDiag(zh, illegible, '', 0), /^此文件的大部分文字无法读取.*OCR/);
  assert.match(describeDiag(zh, illegible, '（第 2 页）', 1), /^含有无法读取的文字，未纳入检索（第 2 页）。/);
  const fault = new LlmError('bad-config', 'a key is missing', {
    reason: 'key-missing',
    values: { endpoint: 'small' },
  });
  assert.deepEqual(describeFault(en, fault), {
    message: 'A key is missing.',
    hint: 'Enter the key of “small” in the settings.',
  });
  assert.match(describeFault(zh, fault).hint, /“small”/);
});

test('numbers agree with their nouns', () => {
  const { pages, bytes } = en.format;
  assert.deepEqual([pages(1), pages(0), pages(12_345)], ['1 page', '0 pages', '12,345 pages']);
  assert.deepEqual(
    [bytes(10), bytes(2_000), bytes(5 * 1024 * 1024), bytes(300 * 1024 * 1024)],
    ['1 kB', '2 kB', '5.0 MB', '300 MB'],
  );
});

test('a page is named by its label and its number when they differ', () => {
  const { page } = en.format;
  assert.equal(page({ page: 4, pageLabel: 'ii' }), 'p. ii (PDF 4)');
  assert.equal(page({ page: 4, pageLabel: '4' }), 'p. 4');
  assert.equal(page({ page: 4, pageLabel: null }), 'p. 4');
  assert.equal(page({ page: null, pageLabel: null }), '');
  const titles = new Map([['b', 'Trade Act']]);
  const card = { strings: en, titleOf: (/** @type {string} */ id) => titles.get(id) ?? null };
  const place = { document: 'a.pdf', documentId: 'a', page: 4, pageLabel: null };
  assert.equal(citedAt(card, place), 'a.pdf, p. 4');
  assert.equal(citedAt(card, { ...place, document: 'a.docx', page: null }), 'a.docx');
  assert.equal(citedAt(card, { ...place, documentId: 'b' }), 'Trade Act, p. 4', 'marks and cards agree');
});

test('a message becomes a sentence', () => {
  assert.deepEqual(['the file is damaged', 'Done.', '文件已损坏。', ''].map(en.format.sentence), [
    'The file is damaged.',
    'Done.',
    '文件已损坏。',
    '',
  ]);
});
