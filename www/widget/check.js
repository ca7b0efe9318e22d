/** The connection check and its words, which the widget loads when somebody checks. */

export { check } from '../llm/check.js';
export { describeCheck } from '../strings/check/index.js';
