/**
 * Reads a prompt as the scripted endpoint does: the step from the first line of the system's words, the
 * passages from between their fences, the question, and what is asked for. It reads as strictly as a careful
 * person would: a fence that does not close, a passage too many, or a nonce that stands anywhere else than in
 * the lines of the fences is a fault of the prompt, and is said.
 */

export const steps = /** @type {const} */ (['rewrite', 'passage', 'filter', 'extract', 'read', 'reflect']);

/** @typedef {typeof steps[number]} Step */

/**
 * @typedef {object} Prompt
 * @property {Step | null} step null for a prompt that is none of ours
 * @property {string} system
 * @property {string} user the first message of the person
 * @property {boolean} again whether an earlier reply is being complained of
 * @property {string} question
 * @property {number} wanted how many rewrites are asked for
 * @property {number} count of passages, as the prompt says
 * @property {string} nonce empty where there are no fences
 * @property {{ n: number, text: string }[]} passages
 * @property {boolean} chinese whether the question is
 * @property {string | null} problem what is wrong with the prompt
 */

/** @param {{ role: string, content: string }[]} messages @returns {Prompt} */
export function readPrompt(messages) {
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n\n');
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const user = said[0] ?? '';
  const name = /^Step: (\w+)$/m.exec(system.split('\n', 1)[0] ?? '')?.[1];
  const step = steps.find((each) => each === name) ?? null;
  // The rules name it. Without, the first fence does; later ones may stand in an earlier reply that repeats them.
  const nonce =
    (/<<<P1 ([0-9a-f]{8,64})>>>/.exec(system) ?? /^<<<[A-Z]+\d* ([0-9a-f]{8,64})>>>$/m.exec(user))?.[1] ?? '';
  /** @type {Prompt['passages']} */
  const passages = [];
  let outside = user;
  if (nonce) {
    const fenced = new RegExp(
      `^<<<([A-Z]+)(\\d*) ${nonce}>>>\\n([\\s\\S]*?)\\n?^<<<END \\1\\2 ${nonce}>>>$`,
      'gm',
    );
    outside = user.replace(fenced, (_, name, n, text) => {
      if (name === 'P') passages.push({ n: Number(n), text });
      else if (text.includes(nonce)) return nonce;
      return '';
    });
  }
  const counts = [...outside.matchAll(/^Passages: (\d+)$/gm)];
  const questions = [...outside.matchAll(/^Question:[ ]*\n([\s\S]*?)(?:\n\s*\n|$(?![\s\S]))/gm)];
  const question = questions.at(-1)?.[1]?.trim() ?? outside.trim().split('\n').at(-1) ?? '';
  const prompt = {
    step,
    system,
    user,
    again: said.length > 1,
    question,
    wanted: Number(/exactly (\d+)/.exec(system)?.[1] ?? 2),
    count: Number(counts.at(-1)?.[1] ?? passages.length),
    nonce,
    passages,
    chinese: /[\u4e00-\u9fff]/.test(question),
    problem: /** @type {string | null} */ (null),
  };
  prompt.problem = problemOf(prompt, outside, name);
  return prompt;
}

/** @param {Omit<Prompt, 'problem'>} prompt @param {string} outside what stands outside of the fences @param {string | undefined} name */
function problemOf({ step, count, nonce, passages }, outside, name) {
  if (name !== undefined && step === null) return `there is no step "${name}"`;
  if (step === null) return null;
  if (passages.some(({ n }, passageIdx) => n !== passageIdx + 1))
    return 'the passages are not numbered from P1 on';
  if (passages.length !== count)
    return `the prompt speaks of ${count} passages and fences ${passages.length}`;
  if (nonce && passages.some(({ text }) => text.includes(nonce)))
    return 'a passage holds the nonce of its fence';
  if (nonce && outside.includes(nonce)) return 'the nonce stands outside of the fences';
  if (!nonce && /^<<<(?:END )?P\d+ /m.test(outside)) return 'there is a fence without an opening line';
  if (['filter', 'extract', 'read', 'reflect'].includes(step) && passages.length === 0)
    return `the step "${step}" needs passages`;
  return null;
}
