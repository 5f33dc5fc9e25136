import { afterEach, expect, test, vi } from 'vitest';
import { apiIfChanged } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

test('what has not changed is not sent again: the same object comes back', async () => {
  const answers = [
    new Response('{"clicks":1}', { headers: { etag: '"one"' } }),
    new Response(null, { status: 304 }),
    new Response('{"clicks":2}', { headers: { etag: '"two"' } }),
  ];
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('if-none-match'));
    return Promise.resolve(answers.shift());
  });
  const first = await apiIfChanged<{ clicks: number }>('/api/x', undefined);
  const second = await apiIfChanged<{ clicks: number }>('/api/x', first);
  const third = await apiIfChanged<{ clicks: number }>('/api/x', second);
  expect(asked).toEqual([null, '"one"', '"one"']);
  expect(second).toBe(first);
  expect(third).toEqual({ body: { clicks: 2 }, tag: '"two"' });
});
