/**
 * Real documents, where they are at hand: the text that pdf.js finds under the quads of a citation is the
 * quotation.
 */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bare, openGlyphs, textUnder } from './geometry.mjs';
import { ask, drop, searchable, sharedFolder, start, stop, withPage } from './harness.mjs';

before(start);
after(stop);

const folder = path.join(sharedFolder, 'legal-dev');
const present = existsSync(folder);
if (!present) console.log(`skipped: no ${folder}`);

/** @type {[file: string, questions: string[]][]} */
const cases = [
  [
    'iesc_2001_63.pdf',
    [
      'What has the State conceded about free primary education?',
      'What order should be made in respect of the Plaintiff’s education?',
      'Does the Plaintiff rely on the Education Act, 1998?',
    ],
  ],
  [
    'uk_si_2024_853.pdf',
    [
      'When do these Regulations come into force?',
      'To which countries do these Regulations extend?',
      'Which powers does the Secretary of State exercise in making these Regulations?',
    ],
  ],
  [
    'onyx_ip_agreement.pdf',
    [
      'What does Contributor assign to Company?',
      'What does “Enterprise Edition” mean?',
      'Which moral rights does Contributor waive?',
    ],
  ],
];

for (const [file, questions] of cases) {
  test(
    `the text under the quads of ${file} is the quotation`,
    { skip: present ? false : 'the corpus is not at hand' },
    () =>
      withPage(async (page) => {
        const bytes = await readFile(path.join(folder, file));
        const glyphs = await openGlyphs(bytes);
        await drop(page, [{ name: file, bytes }]);
        await searchable(page, 1);
        const wrong = [];
        let n = 0;
        for (const question of questions) {
          for (const { quote, spans } of (await ask(page, question)).citations) {
            let under = '';
            for (const span of spans) under += textUnder(await glyphs.page(span.page ?? 0), span.quads);
            n += 1;
            if (bare(under) !== bare(quote)) wrong.push(`pdf.js reads ${under}\n  for ${quote}`);
          }
        }
        await glyphs.close();
        console.log(`${file}: ${n} citations`);
        assert.deepEqual(wrong, []);
        assert.ok(n > 0);
      }),
  );
}
