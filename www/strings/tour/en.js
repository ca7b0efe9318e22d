/**
 * Steps of the tour in English, by the control that each is about, and the shape that every language has. They are apart from
 * the other strings, since they are loaded with the tour.
 */

/** @typedef {typeof enTour} TourStrings */

/** A title, and what is to be known. @type {Record<'documents' | 'samples' | 'question' | 'citations' | 'model' | 'ledger' | 'help', readonly [title: string, text: string]>} */
export const enTour = {
  documents: [
    'Your documents',
    'Add PDF and Word files here, or drop them anywhere on the page. They are read on this device and stay on it.',
  ],
  samples: ['No file at hand?', 'Add a sample. Questions that it answers then appear below your own.'],
  question: [
    'Ask',
    'In your own words. The answer is made of sentences of your documents, each with a numbered mark: press it, and the page opens with these words lit.',
  ],
  citations: [
    'Sources',
    'Press one, and its document opens with the cited words lit. Whether they answer your question is for you to judge.',
  ],
  model: [
    'Quotes, or a model of your own',
    'Without a language model you get quotations only. Here you can set one: a server of yours, or a service.',
  ],
  ledger: ['What leaves this device', 'Nothing, unless you set a model. Each request to it is listed here.'],
  help: ['Help', 'All keys, and this tour again. The question mark key opens it too.'],
};
