/** Asks the browser not to clear what is stored when it needs space. Asked at a document, since some ask the person. */
export async function keepStorage() {
  try {
    const { storage } = navigator;
    if (!(await storage.persisted())) await storage.persist();
  } catch {
    // The browser has no such promise to make.
  }
}
