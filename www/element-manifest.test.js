import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { elementManifest } from './element-manifest.mjs';

const www = path.dirname(fileURLToPath(import.meta.url));
const { modules } = await elementManifest(www);
const element = modules
  .flatMap((/** @type {any} */ { declarations }) => declarations)
  .find((/** @type {any} */ { name }) => name === 'PinciteWidget');

/** Sources of the interface, in one text. */
async function sources() {
  const files = [];
  for (const folder of ['widget', 'viewer', 'remote'])
    for (const name of await readdir(path.join(www, folder), { recursive: true }))
      if (/(?<!test)\.js$/.test(name)) files.push(readFile(path.join(www, folder, name), 'utf8'));
  return (await Promise.all(files)).map((text) => text.replace(/\/\*\*.*?\*\//gs, '')).join('\n');
}

/** @param {RegExp} pattern with one group @param {string} text */
const found = (pattern, text) => [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name))].sort();
/** @param {{ name: string }[]} list */
const names = (list) => list.map(({ name }) => name).sort();

test('the manifest has each attribute, event, slot, part and custom property that the code has, with its words', async () => {
  const text = await sources();
  const attributes = [
    ...found(
      /(?:get|has)Attribute\('([a-z-]+)'\)/g,
      await readFile(path.join(www, 'widget/pincite-widget.js'), 'utf8'),
    ),
    ...found(/'([a-z-]+)'/g, /observedAttributes = \[([^\]]+)\]/.exec(text)?.[1] ?? ''),
  ];
  assert.deepEqual(names(element.attributes), [...new Set(attributes)].sort());
  assert.deepEqual(names(element.events), found(/super\('(pincite-[a-z]+)'/g, text));
  assert.deepEqual(names(element.slots), found(/'slot',\s*\{ name: '([a-z]+)' \}/g, text));
  assert.deepEqual(names(element.cssParts), found(/part: '([a-z-]+)'/g, text));
  assert.deepEqual(names(element.cssProperties), found(/var\((--pincite-[a-z-]+)/g, text));
  for (const kind of ['attributes', 'events', 'slots', 'cssParts', 'cssProperties'])
    for (const { name, description } of element[kind])
      assert.ok(description, `${kind}: ${name} is not described`);
});

test('the manifest names the element, its methods and properties, and the class of each event', () => {
  assert.equal(element.tagName, 'pincite-widget');
  const members = (/** @type {string} */ kind) =>
    names(element.members.filter((/** @type {any} */ member) => member.kind === kind));
  assert.deepEqual(members('method'), [
    'addFiles',
    'addLibrary',
    'addUrl',
    'ask',
    'open',
    'showKeys',
    'startTour',
  ]);
  assert.deepEqual(members('field'), [
    'engine',
    'expanded',
    'layout',
    'ledger',
    'library',
    'llm',
    'profile',
    'workers',
  ]);
  for (const { name, type } of element.events) assert.match(type.text, /^Pincite[A-Z][a-z]+Event$/, name);
  for (const { name, description } of element.members) assert.ok(description, `${name} is not described`);
});
