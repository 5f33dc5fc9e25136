import { expect, it } from 'vitest';
import { kindOf, redirectOf, sendMixed, Tally } from './mix.ts';
import type { Answer, Send, Sent } from './server.ts';

const answer = (status: number, headers = {}, body = ''): Answer => ({ status, headers, body });

it('a tally counts redirects, and a 503 only without Retry-After as a failure', () => {
  const start = new Map([['a', { human: 5, bot: 0, prefetch: 0 }]]);
  const tally = new Tally(start);
  tally.recordRedirect('a', 'human', answer(302), 1);
  tally.recordRedirect('b', 'bot', answer(302), 2);
  tally.recordRedirect('b', 'bot', answer(503, { 'retry-after': '1' }), 3);
  expect([tally.sum('human'), tally.sum('bot'), tally.of('b').bot]).toEqual([6, 1, 1]);
  expect(start.get('a')?.human).toBe(5);
  expect([tally.latency(0.5), tally.latency(1), tally.failed.size]).toEqual([2, 3, 0]);
  expect(tally.expect('miss', answer(503, {}, 'busy'), [404])).toBe(false);
  expect(tally.expect('miss', answer(404), [404])).toBe(true);
  expect(tally.summary()).toBe('1 miss 404, 1 miss 503, 2 redirect 302, 1 redirect 503');
  expect(tally.failures()).toBe('\n        1 times miss 503 busy');
});

it('seven of ten clicks are by people, two by crawlers and one is a prefetch', () => {
  const kinds = Array.from({ length: 10 }, (_, n) => kindOf(n));
  expect(kinds.join(' ')).toBe(`${'human '.repeat(7)}bot bot prefetch`);
  const headers = [0, 7, 9].map((n) => redirectOf(n).headers ?? {});
  expect(headers.map((one) => one['User-Agent']?.includes('Googlebot'))).toEqual([
    false,
    true,
    false,
  ]);
  expect(headers.map((one) => one['Sec-Purpose'])).toEqual([undefined, undefined, 'prefetch']);
});

it('the mixed load sends each kind of request its share, and notes what it made', async () => {
  const sent: [string, Sent][] = [];
  const send: Send = (path, one = {}) => {
    sent.push([path, one]);
    const status =
      path === '/code' ? 302 : path === '/api/reports' || path === '/api/shorten' ? 201 : 404;
    return Promise.resolve(answer(status, {}, '{"code":"made"}'));
  };
  const [tally, made] = [new Tally(), new Map<string, string>()];
  for (let n = 0; n < 20; n++)
    await sendMixed(send, n, { codes: ['code'], token: 'token', tally, made });
  expect(tally.summary()).toMatch(/^1 abuse report 201, 1 analytics 404, .*, 2 miss 404, /);
  expect(tally.summary()).toContain('12 redirect 302, 2 shorten 201');
  expect(made).toEqual(new Map([['made', 'https://made.example.com/15']]));
  expect(tally.sum('human')).toBe(9);
  const networks = sent.filter(([path]) => path.startsWith('/no')).map(([, one]) => one.headers);
  expect(networks[0]).not.toEqual(networks[1]);
});
