/**
 * Example questions from a person's own documents: what a defined term means, and what stands under a heading. Loaded when
 * there is a document to ask about and nothing has been asked yet.
 *
 * A question is in the language of its document, English or Chinese, so its words are here and not among the strings of the
 * interface; of other languages there are none. Each is tried before it is offered: the documents must answer it by their words
 * alone, and the first citation must be the definition, or lie under the heading. Reading and trying end after some seconds.
 */

/** @typedef {import('../engine/protocol.js').TextBlock} TextBlock */
/** @typedef {import('../engine/client.js').Engine} Engine */

/** @typedef {{ question: string, names: { heading: string } | { term: string } }} Candidate `names` is what the first citation
 * must show: a section by its heading as printed, or the definition of a term */
/** @typedef {{ question: string, document: string }} Example `document` is the id of the one that answers */

/** Most questions that are offered, and documents that they are made from. */
export const maxExamples = 4;
export const maxSources = 3;
/** Blocks that are read of a document, from its beginning: definitions, and headings enough. */
const maxBlocks = 500;
/** Candidates of a document that are tried. */
const maxTried = 8;
/** Milliseconds after which no other candidate is tried. */
const patience = 4_000;

/** Words of which every English text is full, and no text of another language. */
const functionWords = new Set('the and of to shall that this with by for be is are any which'.split(' '));
/** Characters that tell traditional from simplified Chinese, for which the questions are written. */
const traditional = /[條與應為於個時會國無責規]/gu;
const simplified = /[条与应为于个时会国无责规]/gu;

/** Headings that name a part of a document and no matter. */
const boilerplate = new RegExp(
  `^(?:${[
    '(?:table of )?contents',
    '(?:general |common )?(?:definitions?|interpretation|definitions and interpretation)|annex(?:es)?',
    'appendi(?:x|ces)|schedules?|index|introduction|preambles?|recitals?|background|general',
    '(?:general|final|other|miscellaneous|common|transitional) provisions|miscellaneous|manual|notes?',
    'footnotes?|references?|signatures?|execution|(?:the )?parties|scope|summary(?: of conclusions)?',
    '(?:executive )?summary|overview|purpose|foreword|preface|glossary|conclusions?|facts|analysis',
    'discussion|commencement|citation(?:,? (?:and )?commencement.*)?|repeals|amendments|short title',
    'extent|material changes|warnings?|(?:certain )?defined terms|others?|exhibits?|attachments?',
    'tables?|figures?|chapters?|parts?|articles?|sections?|pages?|continued|reserved|repealed',
    'abbreviations|acknowledge?ments|important (?:notice|information)|disclaimer',
    '总则|附则|目录|目次|前言|序言|说明|定义|释义|附件|附录|附表|其他|其它|引言|概述|一般规定|其他规定|补充规定|通则',
  ].join('|')})$`,
  'iu',
);
/** What people ask about most: such headings come first. */
const sought =
  /terminat|liabilit|payment|confidential|indemni|penalt|sanction|notif|notice|complaint|warrant|insur|dispute|governing|renew|interest|time limit|deadline|personal data|fees?\b|charges|records|appeal|终止|解除|责任|付款|支付|保密|赔偿|处罚|罚则|通知|投诉|期限|争议|监督|费用|违约|申诉/iu;
const interrogative =
  /^(?:what|when|who|whom|how|which|where|why|may|must|can|should|is|are|do|does) .+\?$/iu;

/** What follows a term that is defined. 指 alone begins other words too (指标, 指导): it stands behind a quote or a comma. */
const means = '(?:[”」』]?[，,：:]?[是系]指|(?:[”」』][，,：:]?|[，,：:])指(?![定导标示令派]))';

/** Number before a heading: "Article 5.", "2.1", "(a)", "IV.", "第三章 —", "一、". */
const numbering = [
  /^(?:article|section|clause|part|chapter|schedule|annex|appendix|rule|title|paragraph|§+)(?: *\d[\w.()]*| +[ivxlc]+\b| +[a-z]\b)[\s.:—–-]*/iu,
  /^\(?(?:\d[\d.]*[a-z]?|[ivxlc]+|[a-z])[.):]+\s*/iu,
  // A number that counts is a part of the heading.
  /^\d[\d.]*\s+(?!\s|(?:(?:calendar|business|working)\s+)?(?:hour|day|week|month|year)s?\b)/iu,
  /^第[〇零一二三四五六七八九十百千\d]+(?:编|章|节|条|款|部分)[\s—–:：、-]*/u,
  /^[（(]?[一二三四五六七八九十\d]+[)）、.．]\s*/u,
];

/**
 * Example questions that the documents answer.
 * @param {Pick<Engine, 'text' | 'ask'>} engine
 * @param {readonly { id: string }[]} documents those to make questions from
 * @param {boolean} areMany more than one document is asked
 * @param {AbortSignal} signal ends the work
 * @returns {Promise<Example[]>}
 */
export async function exampleQuestions(engine, documents, areMany, signal) {
  const end = performance.now() + patience;
  const sources = [];
  for (const { id } of documents.slice(0, maxSources)) {
    if (signal.aborted) return [];
    if (performance.now() > end) break;
    sources.push({ id, left: candidatesOf(await engine.text(id, 0, maxBlocks), areMany).slice(0, maxTried) });
  }
  /** @type {Example[]} */
  const found = [];
  // One of each document in turn.
  for (let at = 0; sources.some(({ left }) => left.length > 0); at += 1) {
    const source = sources[at % sources.length];
    let isTaken = false;
    while (source && source.left.length > 0 && !isTaken) {
      if (signal.aborted || performance.now() > end || found.length === maxExamples) return found;
      const candidate = /** @type {Candidate} */ (source.left.shift());
      isTaken =
        found.every(({ question }) => question !== candidate.question) &&
        (await isAnswered(engine, candidate, source.id, signal));
      if (isTaken) found.push({ question: candidate.question, document: source.id });
    }
  }
  return found;
}

/** True if the documents answer a question, and first with what it names. @param {Pick<Engine, 'ask'>} engine @param {Candidate} candidate @param {string} id @param {AbortSignal} signal */
async function isAnswered(engine, { question, names }, id, signal) {
  const { answerability, citations } = await engine.ask(question, { vectors: 'none', signal });
  const first = citations[0];
  if (answerability !== 'answers' || first?.documentId !== id) return false;
  if ('term' in names) return defines(first.quote, names.term);
  // Below it there are paragraphs by their numbers, but no heading of another matter.
  const headings = first.sectionPath.filter((each) => /\p{L}{3}|\p{Script=Han}{2}/u.test(bare(each)));
  return plain(headings.at(-1) ?? '') === plain(names.heading);
}

/** True if words hold the definition of a term, and not only of one that ends with its words. @param {string} quote @param {string} term */
function defines(quote, term) {
  const isChinese = /\p{Script=Han}/u.test(term);
  const definition = isChinese ? `${term}${means}` : `[“"]${term}[”"],? (?:shall )?means?\\b`;
  return new RegExp(definition, 'u').test(quote);
}

/**
 * Questions that a document should answer, best first.
 * @param {readonly TextBlock[]} blocks the beginning of its text
 * @param {boolean} areMany more than one document is asked
 * @returns {Candidate[]}
 */
export function candidatesOf(blocks, areMany) {
  const language = languageOf(blocks);
  if (language === null) return [];
  const terms = termsOf(blocks, language);
  const headings = headingsOf(blocks, language, areMany);
  // Of four questions one is about a term.
  return [...terms.slice(0, 1), ...headings.slice(0, 4), ...terms.slice(1), ...headings.slice(4)];
}

/**
 * Language of a document, if questions can be made in it.
 * @param {readonly TextBlock[]} blocks
 * @returns {'en' | 'zh' | null}
 */
export function languageOf(blocks) {
  const text = blocks
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 20_000);
  const count = (/** @type {RegExp} */ pattern) => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  if (count(/\p{Script=Han}/gu) > 0.6 * letters && count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) === 0)
    return count(traditional) > count(simplified) ? null : 'zh';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => functionWords.has(word)).length > 0.12 * words.length ? 'en' : null;
}

/** Questions about terms that the document defines: those of several words, and used most, come first. @param {readonly TextBlock[]} blocks @param {'en' | 'zh'} language */
function termsOf(blocks, language) {
  const text = blocks.map(({ text }) => text).join('\n');
  const definitions =
    language === 'en'
      ? [/[“"](\p{Lu}[\p{L}’' -]{2,39})[”"],? (?:shall )?means?,? (?!the meaning|has )(?=[^\n]{20})/gu]
      : [
          new RegExp(`所称(?:的)?[“「『]?(\\p{Script=Han}{2,12}?)${means}(?=[^\\n]{6})`, 'gu'),
          new RegExp(`[“「『](\\p{Script=Han}{2,16})(?=[”」』])${means}(?=[^\\n]{6})`, 'gu'),
        ];
  const found = new Set(
    definitions.flatMap((pattern) => [...text.matchAll(pattern)].map(([, term = '']) => term.trim())),
  );
  return [...found]
    .map((term) => ({ term, isLong: /\S \S/u.test(term), n: text.split(term).length }))
    .sort((a, b) => Number(b.isLong) - Number(a.isLong) || b.n - a.n)
    .map(({ term }) => ({
      question: language === 'en' ? `What does “${term}” mean?` : `“${term}”是什么意思？`,
      names: { term },
    }));
}

/** Questions about sections with a text of their own: what people ask about most comes first. @param {readonly TextBlock[]} blocks @param {'en' | 'zh'} language @param {boolean} areMany */
function headingsOf(blocks, language, areMany) {
  const least = language === 'en' ? 80 : 12;
  const spelling = spellingOf(blocks);
  /** @type {Map<string, { heading: string, isSought: boolean }>} */
  const found = new Map();
  for (const [at, { kind, role, text }] of blocks.entries()) {
    if (kind !== 'heading' || role === 'title') continue;
    const next = blocks.findIndex(({ kind }, other) => other > at && kind === 'heading');
    const body = blocks.slice(at + 1, next < 0 ? undefined : next);
    const length = body.reduce((sum, { kind, text }) => sum + (kind === 'footnote' ? 0 : text.length), 0);
    const heading = text.replace(/\s+/gu, ' ').trim();
    const topic = topicOf(heading, language, spelling);
    if (topic !== null && length >= least && !found.has(topic))
      found.set(topic, { heading, isSought: sought.test(topic) });
  }
  const says = areMany ? 'What do the documents say about' : 'What does the document say about';
  return [...found]
    .sort(([, a], [, b]) => Number(b.isSought) - Number(a.isSought))
    .map(([topic, { heading }]) => {
      const asked = language === 'en' ? `${says} ${topic}?` : `“${topic}”有哪些规定？`;
      return { question: topic.endsWith('?') ? topic : asked, names: { heading } };
    });
}

/**
 * Topic of a heading, as it is written inside a sentence; the heading itself where it is a question.
 * @param {string} heading
 * @param {'en' | 'zh'} language
 * @param {ReadonlyMap<string, string>} spelling
 * @returns {string | null} null where it makes no question
 */
function topicOf(heading, language, spelling) {
  const words = bare(heading);
  if (boilerplate.test(words)) return null;
  if (language === 'zh') return /^[\p{Script=Han}、和与及]{2,16}$/u.test(words) ? words : null;
  if (interrogative.test(words) && words.length <= 90) return words;
  const isPlain = /^\p{Script=Latin}[\p{Script=Latin}’', &-]*$/u.test(words);
  if (!isPlain || words.length < 5 || words.length > 60 || words.split(' ').length > 7) return null;
  const isUpper = words === words.toUpperCase();
  const long = words.match(/\p{L}[\p{L}’'-]{3,}/gu) ?? [];
  const isTitleCase = !isUpper && long.length > 1 && long.every((word) => /^\p{Lu}/u.test(word));
  // Names cannot be told from other words of it.
  if (isTitleCase && long.some((word) => !spelling.has(word.toLowerCase()))) return words;
  return words.replace(/\p{L}[\p{L}’'-]*/gu, (word, at) => {
    const lower = word.toLowerCase();
    const isName = !isUpper && (at > 0 || /\p{Lu}{2}/u.test(word));
    return spelling.get(lower) ?? (isName && !isTitleCase ? word : lower);
  });
}

/** How words are written inside a sentence, most often, by their lower case: defined terms and names have a capital. @param {readonly TextBlock[]} blocks */
function spellingOf(blocks) {
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  for (const { kind, text } of blocks) {
    if (kind === 'heading') continue;
    for (const [word] of text.matchAll(/(?<=[\p{Ll},;] )\p{L}[\p{L}’'-]*/gu)) {
      const forms = counts.get(word.toLowerCase()) ?? new Map();
      counts.set(word.toLowerCase(), forms.set(word, (forms.get(word) ?? 0) + 1));
    }
  }
  return new Map(
    [...counts].map(([lower, forms]) => [lower, [...forms].sort(([, a], [, b]) => b - a)[0]?.[0] ?? lower]),
  );
}

/** A heading without its number and its full stop. @param {string} heading */
function bare(heading) {
  const words = numbering.reduce((text, pattern) => text.replace(pattern, ''), heading.trim());
  return words.replace(/[\s.:;。：；]+$/u, '');
}

/** A heading without what is set differently in different places. @param {string} text */
const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
