import { vi } from 'vitest';

type Answer = Response | object | ((body: unknown) => Response | object | Promise<Response>);
export type Call = { call: string; body: unknown };

/** An error of the API, as `serveRoutes` answers it. */
export const failure =
  (status: number, error: string, more: object = {}): (() => Response) =>
  () =>
    Response.json({ error, code: 'x', requestId: 'r', ...more }, { status });

/**
 * Replaces `fetch` with a server that has an answer per route, such as `GET /api/me`; an object
 * is JSON with 200. Returns the requests, each with its query and its body.
 */
export function serveRoutes(answers: Readonly<Record<string, Answer>>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    const method = init.method ?? 'GET';
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    calls.push({ call: `${method} ${url.pathname}${url.search}`, body });
    const known = answers[`${method} ${url.pathname}`] ?? failure(404, 'Unknown.');
    const answer = typeof known === 'function' ? await known(body) : known;
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  });
  return calls;
}

/** The requests that change something. */
export const writesOf = (calls: readonly Call[]): Call[] =>
  calls.filter(({ call }) => !call.startsWith('GET '));
