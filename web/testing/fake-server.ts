import { vi } from 'vitest';

export type Asked = { method: string; path: string; query: URLSearchParams; body: unknown };

/**
 * Replaces `fetch` with a server. `answer` returns the response to a request, or its JSON body.
 * Returns the requests so far as texts: 'GET /api/links/a?x=1 {"body":true}'.
 */
export function serve(answer: (request: Asked, init: RequestInit) => unknown): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname: path, search, searchParams: query } = new URL(address, 'http://localhost');
    const { method = 'GET' } = init;
    init.signal?.throwIfAborted();
    const text = typeof init.body === 'string' ? init.body : '';
    requests.push([method, path + search, text].filter((part) => part !== '').join(' '));
    const body: unknown = text === '' ? null : JSON.parse(text);
    const result = await answer({ method, path, query, body }, init);
    init.signal?.throwIfAborted();
    return result instanceof Response ? result : Response.json(result);
  });
  return requests;
}

/** Returns the response of a server that rejects a request. */
export const rejection = (status: number, error: string, rest: object = {}): Response =>
  Response.json({ error, code: 'x', requestId: 'r', ...rest }, { status });
