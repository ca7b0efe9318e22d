/**
 * Requests as the answering machine makes them, for tests of what carries them: the same first line, fences and
 * order, about a document of our own.
 */

/** @typedef {import('../../www/llm/types.js').LlmRequest} LlmRequest */
/** @typedef {import('./prompt.mjs').Step} Step */

export const nonce = '0123456789abcdef';

export const texts = [
  'A supplier must keep a record of every sale for six years. The record must state the price. Ö, “quotes”, 法律 and 🙂 occur.',
  'The fee for an entry in the register is 40 euros.',
  'An officer may inspect the record at any reasonable time, subject to section 9.',
];

/** @type {Partial<Record<Step, { name: string, schema: object }>>} */
const schemas = {
  rewrite: {
    name: 'rewrite',
    schema: object({ question: { type: 'string' }, rewrites: { type: 'array', items: { type: 'string' } } }),
  },
  filter: {
    name: 'filter',
    schema: object({ reasoning: { type: 'string' }, keep: { type: 'array', items: { type: 'boolean' } } }),
  },
  extract: {
    name: 'extract',
    schema: object({
      quotes: { type: 'array', items: object({ p: { type: 'integer' }, text: { type: 'string' } }) },
    }),
  },
  reflect: {
    name: 'reflect',
    schema: object({
      grounded: { type: 'boolean' },
      consistent: { type: 'boolean' },
      complete: { type: 'boolean' },
      problem: { type: 'string' },
      missing: { type: 'array', items: { type: 'string' } },
    }),
  },
};

/** @param {Record<string, object>} properties */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** @param {string} name @param {string} text */
export function fence(name, text) {
  return `<<<${name} ${nonce}>>>\n${text}\n<<<END ${name} ${nonce}>>>\n`;
}

/**
 * @param {Step} step
 * @param {{ passages?: string[], question?: string, schema?: boolean, maxTokens?: number }} [options]
 * @returns {LlmRequest}
 */
export function request(
  step,
  {
    passages = texts,
    question = 'How long must a supplier keep records of a sale?',
    schema = true,
    maxTokens = 800,
  } = {},
) {
  const reads = !['rewrite', 'passage'].includes(step);
  const fenced = passages.map((text, passageIdx) => fence(`P${passageIdx + 1}`, text)).join('');
  const answer = step === 'reflect' ? fence('ANSWER', 'Six years [P1].') : '';
  return {
    call: 1,
    step,
    endpoint: null,
    model: null,
    messages: [
      {
        role: 'system',
        content: `Step: ${step}\nYou help with legal documents.\n- "rewrites": exactly 3, each one single question.`,
      },
      {
        role: 'user',
        content: `Question:\n${question}\n\n${answer}${reads ? `Passages: ${passages.length}\n${fenced}` : ''}`,
      },
    ],
    maxTokens,
    temperature: 0,
    schema: schema ? (schemas[step] ?? null) : null,
    passages: reads
      ? passages.map((_, passageIdx) => ({
          document: 'a'.repeat(64),
          page: passageIdx + 1,
          sectionPath: ['Part 1', `Section ${passageIdx}`],
        }))
      : [],
  };
}
