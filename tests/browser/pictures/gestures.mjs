/** Scenes of the gallery, and the gestures that they share. */

import { drop, sample, searchable } from '../harness.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('../harness.mjs').BrowserContext} BrowserContext */
/** @typedef {Awaited<ReturnType<typeof import('../../llm/server.mjs').startServer>>} Server */
/** @typedef {(caption: string, page?: Page) => Promise<void>} TakePicture of the page of the scene, or of another */
/**
 * @typedef {object} Scene
 * @property {string} title
 * @property {string} [font] language that a font of this machine must have
 * @property {boolean} [needsPackage] true if it is played in a page that has the npm package
 * @property {readonly ('wide' | 'narrow')[]} [windows] both where it says nothing
 * @property {readonly ('light' | 'dark')[]} [schemes] both where it says nothing
 * @property {Parameters<typeof import('../harness.mjs').withPage>[1]} [options]
 * @property {(page: Page, picture: TakePicture, visit: { context: BrowserContext, server: Server, npm: string }) => Promise<void>} play
 */

export const question = 'What is the cap on liability?';

/** Begins at an empty page; the scene then opens what it is about. */
export const beginsElsewhere = { path: 'about:blank', opened: async () => {} };

/** @param {Page} page @param {string | RegExp} name */
export const press = (page, name) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** Unfolds the library where it is folded away. @param {Page} page */
export async function unfoldLibrary(page) {
  if (!(await page.locator('.library').isVisible())) await press(page, /^Documents/);
}

/** @param {Page} page */
export async function openCitation(page) {
  await page.locator('button.citation').first().click();
  await page.locator('.page-view .light, .text-light').first().waitFor();
  await page.locator('.text-layer span, .text-body *').first().waitFor({ state: 'attached' });
}

/** Opens the settings, at a heading of theirs. @param {Page} page @param {string} heading */
export async function openSettings(page, heading) {
  await page.locator('[part=settings-button]').click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog
    .getByRole('heading', { name: heading })
    .evaluate((found) => found.scrollIntoView({ block: 'center' }));
}

/** Adds samples, and waits until they can be asked. @param {Page} page @param {...string} names */
export async function addSamples(page, ...names) {
  await drop(page, await Promise.all(names.map(sample)));
  await searchable(page, names.length);
}
