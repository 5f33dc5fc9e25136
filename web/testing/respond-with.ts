import { vi } from 'vitest';

/**
 * Replaces `fetch` with a mock that returns these responses in turn, and 500 after the last.
 * Returns the mock, which records the requests.
 */
export function respondWith(...answers: [status: number, body: unknown][]) {
  const mock = vi.fn<typeof fetch>(() => {
    const [status, body] = answers.shift() ?? [500, {}];
    return Promise.resolve(Response.json(body, { status }));
  });
  vi.stubGlobal('fetch', mock);
  return mock;
}
