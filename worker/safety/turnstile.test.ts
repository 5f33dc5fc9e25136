import { describe, expect, it } from 'vitest';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { verifyTurnstile } from './turnstile.ts';

const answers =
  (body: unknown, status = 200): FetchFunction =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status }));
const never: FetchFunction = () => Promise.reject(new Error('no request is needed'));

describe('verifyTurnstile', () => {
  it.each<[string, string | undefined, FetchFunction, string]>([
    ['no token', undefined, never, 'failed'],
    ['an empty token', '', never, 'failed'],
    ['a valid token', 'x', answers({ success: true }), 'passed'],
    ['an invalid token', 'x', answers({ success: false }), 'failed'],
    ['an answer that is not a boolean', 'x', answers({ success: 'true' }), 'failed'],
    ['an answer without a verdict', 'x', answers(null), 'failed'],
    ['an error page', 'x', answers({ success: true }, 500), 'unreachable'],
    ['no answer', 'x', never, 'unreachable'],
    ['an answer that is no JSON', 'x', async () => new Response('<html>'), 'unreachable'],
  ])('fails closed: %s', async (_, token, fetcher, expected) => {
    expect(await verifyTurnstile('secret', token, fetcher)).toBe(expected);
  });

  it('sends the secret and the token, and no address', async () => {
    const sent: string[] = [];
    await verifyTurnstile('the-secret', 'the-token', async (_, init) => {
      sent.push(await new Response(init?.body).text());
      return Response.json({ success: true });
    });
    expect(sent).toEqual(['secret=the-secret&response=the-token']);
  });
});
