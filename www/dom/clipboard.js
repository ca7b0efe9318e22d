/**
 * Copying of a text together with its HTML, so that a word processor keeps lists and emphasis and a plain field takes
 * the words.
 */

/** Puts both on the clipboard, or the text alone where the browser takes no HTML. Rejects where it allows neither.
 * @param {{ text: string, html: string }} copied */
export async function copy({ text, html }) {
  const { clipboard } = navigator;
  if (!clipboard) throw new Error('this page has no clipboard: it was not opened over HTTPS');
  try {
    const item = new ClipboardItem({
      'text/html': new Blob([html], { type: 'text/html' }),
      'text/plain': new Blob([text], { type: 'text/plain' }),
    });
    await clipboard.write([item]);
  } catch {
    await clipboard.writeText(text);
  }
}
