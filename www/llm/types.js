/**
 * Types that the provider and its adapters share. No code: a module here imports none of its users.
 */

/** @typedef {'rewrite' | 'passage' | 'filter' | 'extract' | 'read' | 'reflect'} Step */

/**
 * @typedef {object} LlmRequest what the machine wants sent
 * @property {number} call its number in this answer
 * @property {Step | 'check'} step
 * @property {string | null} endpoint by its name; null for the one that is used anyway
 * @property {string | null} model null for the endpoint's own
 * @property {{ role: 'system' | 'user' | 'assistant', content: string }[]} messages
 * @property {number} maxTokens
 * @property {number} temperature
 * @property {{ name: string, schema: object } | null} schema of the reply, where the endpoint can hold a model to one
 * @property {import('./ledger.js').SentPassage[]} passages what of the documents is in it
 * @property {number} [turns] earlier questions and answers in it
 */

/**
 * @typedef {object} LlmReply
 * @property {string} text
 * @property {'stop' | 'length' | 'other'} finish
 * @property {{ input: number, output: number } | null} usage tokens, where the server counts them
 * @property {string} model the one that answered, by its own account
 */

/**
 * @typedef {object} CompleteOptions
 * @property {AbortSignal | null} [signal] ends the request at once
 * @property {(text: string) => void} [onText] is given all text so far, whenever there is more; a retry begins anew
 */

/**
 * @typedef {object} Provider
 * @property {string} name
 * @property {import('./endpoint.js').Kind} kind
 * @property {string} model
 * @property {string | null} origin where requests go; null for the model of the browser
 * @property {(request: LlmRequest, options?: CompleteOptions) => Promise<LlmReply>} complete throws `LlmError`
 */

/** @typedef {{ world: import('./transport.js').World, retryOptions: import('./retry.js').RetryOptions }} Host what an adapter gets from the provider */

export {};
