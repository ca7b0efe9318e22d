/**
 * Checks of a request by the scripted endpoint: the shapes of chat completions and of Messages as their
 * makers document them, no field that they do not know, and of a schema in strict mode what OpenAI demands of
 * it. A real server is more lenient in places; a client that passes here passes there.
 */

/** @typedef {{ message: string, param: string | null, code: string | null }} Complaint */
/** @typedef {Record<string, any>} Body */

const chatFields = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'top_p',
  'n',
  'stop',
  'seed',
  'user',
]);
const messagesFields = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'temperature',
  'top_p',
  'stop_sequences',
  'metadata',
  'output_config',
]);

/** @param {Body} body @returns {Complaint | null} */
export function chatComplaint(body) {
  const unknown = Object.keys(body).find((field) => !chatFields.has(field));
  if (unknown)
    return complain(`Unrecognized request argument supplied: ${unknown}`, unknown, 'unknown_parameter');
  return (
    modelAndStream(body) ??
    number(body, 'temperature', 0, 2) ??
    integer(body, 'max_tokens') ??
    integer(body, 'max_completion_tokens') ??
    ('max_tokens' in body && 'max_completion_tokens' in body
      ? complain(
          "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
          'max_tokens',
        )
      : null) ??
    streamOptions(body) ??
    messages(body, ['system', 'developer', 'user', 'assistant']) ??
    responseFormat(body['response_format'])
  );
}

/** @param {Body} body @returns {Complaint | null} */
export function messagesComplaint(body) {
  const unknown = Object.keys(body).find((field) => !messagesFields.has(field));
  if (unknown) return complain(`${unknown}: Extra inputs are not permitted`, unknown);
  if (!('max_tokens' in body)) return complain('max_tokens: Field required', 'max_tokens');
  const format = body['output_config']?.format;
  return (
    modelAndStream(body) ??
    number(body, 'temperature', 0, 1) ??
    integer(body, 'max_tokens') ??
    ('system' in body && (typeof body['system'] !== 'string' || body['system'] === '')
      ? complain('system: Input should be a non-empty string', 'system')
      : null) ??
    messages(body, ['user', 'assistant']) ??
    (body['messages'][0].role === 'user'
      ? null
      : complain('messages: first message must use the "user" role', 'messages')) ??
    (body['messages'].some(
      (/** @type {Body} */ { role }, /** @type {number} */ messageIdx) =>
        role === body['messages'][messageIdx - 1]?.role,
    )
      ? complain('messages: roles must alternate between "user" and "assistant"', 'messages')
      : null) ??
    (format === undefined
      ? null
      : format?.type === 'json_schema'
        ? schemaComplaint(format.schema, 'output_config.format.schema')
        : complain('output_config.format.type: Input should be "json_schema"', 'output_config'))
  );
}

/** @param {string} message @param {string | null} param @param {string | null} [code] @returns {Complaint} */
function complain(message, param, code = null) {
  return { message, param, code };
}

/** @param {Body} body */
function modelAndStream(body) {
  if (typeof body['model'] !== 'string' || body['model'] === '')
    return complain('you must provide a model parameter', 'model');
  if ('stream' in body && typeof body['stream'] !== 'boolean')
    return complain("'stream' must be a boolean", 'stream');
  return null;
}

/** @param {Body} body @param {string} field @param {number} min @param {number} max */
function number(body, field, min, max) {
  if (!(field in body)) return null;
  const value = body[field];
  return typeof value === 'number' && value >= min && value <= max
    ? null
    : complain(`'${field}' must be a number from ${min} to ${max}`, field);
}

/** @param {Body} body @param {string} field */
function integer(body, field) {
  if (!(field in body)) return null;
  return Number.isInteger(body[field]) && body[field] >= 1 && body[field] <= 200_000
    ? null
    : complain(`'${field}' must be an integer of at least 1`, field);
}

/** @param {Body} body */
function streamOptions(body) {
  const options = body['stream_options'];
  if (options === undefined) return null;
  if (body['stream'] !== true)
    return complain(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  const good =
    typeof options === 'object' &&
    options !== null &&
    Object.keys(options).every((key) => key === 'include_usage') &&
    typeof options.include_usage === 'boolean';
  return good ? null : complain("'stream_options' may hold 'include_usage' only", 'stream_options');
}

/** @param {Body} body @param {string[]} roles */
function messages(body, roles) {
  const list = body['messages'];
  if (!Array.isArray(list) || list.length === 0 || list.length > 500)
    return complain("'messages' must be a list that is not empty", 'messages');
  for (const [messageIdx, message] of list.entries()) {
    const at = `messages[${messageIdx}]`;
    if (typeof message !== 'object' || message === null) return complain(`'${at}' must be an object`, at);
    const unknown = Object.keys(message).find((key) => key !== 'role' && key !== 'content');
    if (unknown) return complain(`Unrecognized field '${at}.${unknown}'`, at, 'unknown_parameter');
    if (!roles.includes(message.role)) return complain(`'${at}.role' must be one of ${roles.join(', ')}`, at);
    if (typeof message.content !== 'string' || message.content.trim() === '')
      return complain(`'${at}.content' must be a string that is not empty`, at);
    if (!message.content.isWellFormed()) return complain(`'${at}.content' holds half of a character`, at);
  }
  if (list.at(-1).role !== 'user') return complain('the last message must be of the user', 'messages');
  return null;
}

/** @param {any} format */
function responseFormat(format) {
  if (format === undefined || format?.type === 'text' || format?.type === 'json_object') return null;
  if (format?.type !== 'json_schema')
    return complain("'response_format.type' must be text, json_object or json_schema", 'response_format');
  const { name, schema, strict, ...rest } = format.json_schema ?? {};
  if (Object.keys(rest).some((key) => key !== 'description'))
    return complain("unrecognized field in 'response_format.json_schema'", 'response_format');
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return complain(
      "'response_format.json_schema.name' does not match ^[A-Za-z0-9_-]{1,64}$",
      'response_format',
    );
  return strict === true ? schemaComplaint(schema, 'response_format') : null;
}

/** Checks an object of a schema against strict mode. @param {any} schema @param {string} param @returns {Complaint | null} */
export function schemaComplaint(schema, param, depth = 0) {
  if (typeof schema !== 'object' || schema === null || depth > 5)
    return complain(`Invalid schema for ${param}: not an object, or nested too deeply`, param);
  if (depth === 0 && schema.type !== 'object')
    return complain(`Invalid schema for ${param}: the root must be of type object`, param);
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {});
    if (schema.additionalProperties !== false)
      return complain(
        `Invalid schema for ${param}: 'additionalProperties' is required to be supplied and to be false.`,
        param,
      );
    if (names.some((name) => !schema.required?.includes(name)) || schema.required?.length !== names.length)
      return complain(`Invalid schema for ${param}: 'required' must hold every key of properties.`, param);
    for (const name of names) {
      const found = schemaComplaint(schema.properties[name], param, depth + 1);
      if (found) return found;
    }
  }
  return schema.type === 'array' ? schemaComplaint(schema.items, param, depth + 1) : null;
}

/** True if a value fits a schema: the part of JSON Schema that our prompts use. @param {unknown} value @param {any} schema @returns {boolean} */
export function conforms(value, schema) {
  if (schema.enum && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        (schema.required ?? []).every((/** @type {string} */ key) => key in value) &&
        Object.entries(value).every(([key, part]) =>
          key in (schema.properties ?? {})
            ? conforms(part, schema.properties[key])
            : schema.additionalProperties !== false,
        )
      );
    case 'array':
      return (
        Array.isArray(value) &&
        value.length >= (schema.minItems ?? 0) &&
        value.length <= (schema.maxItems ?? Infinity) &&
        value.every((part) => conforms(part, schema.items ?? {}))
      );
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === schema.type;
    default:
      return true;
  }
}
