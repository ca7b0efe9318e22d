/**
 * `fetch` with the rules of a browser that Node's does not have: preflights, and answers that a page may not
 * read. Only as much of them as decides whether a page of some origin can ask a server; the real thing is asked
 * in `tests/browser`.
 */

/** Request headers that need no leave. */
const simple = new Set(['accept', 'accept-language', 'content-language', 'content-type']);

/**
 * @param {string} origin of the page; `null` of a file
 * @returns {typeof globalThis.fetch}
 */
export function fetchOf(origin) {
  return async (input, { headers = {}, method = 'GET', redirect = 'follow', ...init } = {}) => {
    const names = [...new Headers(headers).entries()]
      .filter(
        ([name, value]) => !simple.has(name) || (name === 'content-type' && value === 'application/json'),
      )
      .map(([name]) => name);
    if (names.length > 0) {
      const asked = await fetch(input, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': names.join(','),
        },
        signal: init.signal ?? null,
      });
      const allowed = (asked.headers.get('access-control-allow-headers') ?? '')
        .split(',')
        .map((name) => name.trim());
      if (!asked.ok || !permits(asked, origin) || names.some((name) => !allowed.includes(name)))
        throw new TypeError('Failed to fetch');
    }
    const response = await fetch(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(headers)), origin },
      method,
      redirect: 'manual',
    });
    if (
      !permits(response, origin) ||
      (response.status >= 300 && response.status < 400 && redirect === 'error')
    ) {
      await response.body?.cancel();
      throw new TypeError('Failed to fetch');
    }
    return response;
  };
}

/** @param {Response} response @param {string} origin */
function permits(response, origin) {
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}
