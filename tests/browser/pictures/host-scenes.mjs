/**
 * Scenes of the page in other hands: a library on a server, portals with the widget in theirs, words from right to left, settings
 * of those who see less.
 */

import { servePortal } from '../../../www/portal/serve.mjs';
import { docx } from '../docx-file.mjs';
import { ask, drop, pdf, samplesFolder, searchable, setModel, type } from '../harness.mjs';
import { LibraryServer } from '../library-server.mjs';
import { answersAsRead, asks, complaint, connect } from '../remote.mjs';
import { addSamples, beginsElsewhere, openCitation, press, question, unfoldLibrary } from './gestures.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./gestures.mjs').Scene} Scene */

/** Opens a page of the portal, and waits until it has its documents. @param {Page} page @param {string} address */
async function openPortal(page, address) {
  await page.goto(address);
  const desk = address.endsWith('frame') ? page.frameLocator('iframe') : page;
  await desk
    .getByText(/^\d+ pages$/)
    .nth(1)
    .waitFor();
  return desk;
}

const deed = 'הסכם שירותים';
const clauses = [
  deed,
  '1. תקרת האחריות של כל צד היא 125 אחוז מהתמורה המשולמת באותה שנה.',
  '2. כל צד ישמור בסוד את המידע הסודי של הצד האחר במשך חמש שנים לאחר סיום ההסכם (Confidential Information).',
  '3. ריבית של 4 אחוזים לשנה תשולם על כל סכום שלא שולם במועדו.',
];
const capInHebrew = 'מהי תקרת האחריות?';

/** The page as those see it who set more of their system. @param {string} title @param {Scene['options']} options @returns {Scene} */
const seenBy = (title, options) => ({
  title,
  options,
  play: async (page, picture) => {
    await addSamples(page, 'contract.pdf', 'rulebook.pdf');
    await drop(page, [{ name: 'not-a-document.pdf', bytes: new Uint8Array(9) }]);
    await page.locator('[data-stage=failed]').waitFor({ state: 'attached' });
    await ask(page, question);
    if ((page.viewportSize()?.height ?? 0) < 400)
      await page.locator('.answer-card').evaluate((card) => card.scrollIntoView());
    await picture('An answer, and a file that cannot be read.');
    await openCitation(page);
    await press(page, 'Find in document');
    await page.keyboard.type('liability');
    await page.locator('.find-count', { hasText: /^1 of \d+$/ }).waitFor();
    await picture('The cited words on their page, and words that were found there.');
  },
});

/** @type {readonly Scene[]} */
export const hostScenes = [
  {
    title: 'A library on a server beside one’s own',
    options: { provoked: /status of 401/ },
    play: async (page, picture) => {
      const library = new LibraryServer('');
      try {
        await answersAsRead(page, library);
        await addSamples(page, 'contract.pdf');
        await connect(page, { url: library.url });
        await unfoldLibrary(page);
        await picture(
          'Its documents stand below those of this browser, and a box says whether it is asked too.',
        );
        if (page.viewportSize()?.width === 390) await press(page, /^Documents/);
        await asks(page, complaint);
        await picture('One answer of both: a citation says in which library its document lies.');
        await openCitation(page);
        await picture('A citation of the server’s opens in the same viewer.');
        await page.keyboard.press('Escape');
        await connect(page, { url: library.url, tokens: ['none'], state: 'failed' });
        await picture('A server that refuses is named, and one’s own documents are asked as before.');
      } finally {
        await library.close();
      }
    },
  },
  {
    title: 'In a portal',
    needsPackage: true,
    schemes: ['light'],
    options: beginsElsewhere,
    play: async (page, picture, { npm }) => {
      const portal = await servePortal({ npm, documents: samplesFolder });
      try {
        await openPortal(page, portal.url);
        await picture('Answers only: the portal has the documents, and its own colours.');
        await press(page, /C-1042/);
        await page.locator('button.citation').first().waitFor();
        if (page.viewportSize()?.width === 390)
          await page.locator('pincite-widget').evaluate((widget) => widget.scrollIntoView());
        await picture('A case asks its question.');
        await openCitation(page);
        await picture('Its citation, opened beside the answer.');
        const desk = await openPortal(page, `${portal.url}frame`);
        await desk.getByRole('button', { name: /C-1042/ }).click();
        await desk.locator('button.citation').first().waitFor();
        await picture('The same in a frame, as a portal has it that is not to share its page.');
        await openPortal(page, `${portal.url}floating`);
        await picture('Floating: a button in the corner of the portal’s page.');
        await press(page, 'Ask your documents');
        await picture('It opens a panel.');
        await press(page, 'Close');
        await press(page, /C-1047/);
        await page.locator('button.citation').first().waitFor();
        await picture('A case asks in the panel, too.');
      } finally {
        portal.close();
      }
    },
  },
  {
    title: 'The whole widget in a page of someone else’s, from right to left',
    font: 'he',
    play: async (page, picture, { server }) => {
      await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await drop(page, [docx(`${deed}.docx`, clauses), pdf('lease.pdf', ['1. The rent is 900 pounds.'])]);
      await searchable(page, 2);
      await type(page, capInHebrew);
      await unfoldLibrary(page);
      await picture('Names, questions and quotations are written as their own words are.');
      if (page.viewportSize()?.width === 390) await press(page, /^Documents/);
      await openCitation(page);
      await picture('So is a document that is shown as text.');
      await page.keyboard.press('Escape');
      server.reset({ replies: { read: 'תקרת האחריות היא 125 אחוז מהתמורה [P1].' } });
      await setModel(page, { kind: 'openai', url: server.url, model: 'scripted' });
      await ask(page, capInHebrew);
      await picture('And the answer of a model.');
    },
  },
  seenBy('With more contrast', { contrast: 'more' }),
  seenBy('In the colours of the system alone', { forcedColors: 'active' }),
  { ...seenBy('At 400 per cent', { viewport: { width: 320, height: 256 } }), windows: ['narrow'] },
];
