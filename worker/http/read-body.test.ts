import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { PLANS } from '#contract/site.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { readBodyText } from './read-body.ts';

/** A body that sends these chunks, and a space every `everyMs` afterwards until it is cancelled. */
function trickle(
  chunks: readonly string[],
  everyMs: number,
): { body: ReadableStream<Uint8Array>; isCancelled: () => boolean } {
  const left = [...chunks];
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = left.shift();
      if (chunk === undefined) await scheduler.wait(everyMs);
      controller.enqueue(new TextEncoder().encode(chunk ?? ' '));
    },
    cancel: () => void (cancelled = true),
  });
  return { body, isCancelled: () => cancelled };
}

const streamOf = (...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });

describe('readBodyText', () => {
  it('[T47] gives up on a client that keeps sending a byte now and then', async () => {
    const { body, isCancelled } = trickle(['{"a":'], 5);
    expect(await readBodyText(body, 1_000_000, 60)).toEqual({ ok: false, reason: 'too_slow' });
    expect(isCancelled()).toBe(true);
  });

  it('[T28] stops at the limit of bytes', async () => {
    const { body, isCancelled } = trickle(['x'.repeat(10)], 1);
    expect(await readBodyText(body, 12)).toEqual({ ok: false, reason: 'too_large', maxBytes: 12 });
    expect(isCancelled()).toBe(true);
    expect(await readBodyText(streamOf('x'.repeat(12)), 12)).toEqual({
      ok: true,
      text: 'x'.repeat(12),
    });
  });

  it('joins characters that arrive in two parts, and refuses what is not UTF-8', async () => {
    const [first = 0, ...rest] = new TextEncoder().encode('ü');
    expect(
      await readBodyText(streamOf('a', new Uint8Array([first]), new Uint8Array(rest)), 100),
    ).toEqual({
      ok: true,
      text: 'aü',
    });
    expect(await readBodyText(streamOf('a', new Uint8Array([first])), 100)).toEqual({
      ok: false,
      reason: 'not_utf8',
    });
    expect(await readBodyText(streamOf(new Uint8Array([255])), 100)).toEqual({
      ok: false,
      reason: 'not_utf8',
    });
    expect(await readBodyText(null, 100)).toEqual({ ok: true, text: '' });
  });
});

describe('a large body', () => {
  const headers = { 'Content-Type': 'application/json' };
  let pulled = 0;
  beforeEach(() => {
    pulled = 0;
  });
  const body = (): ReadableStream<Uint8Array> => {
    let sent = 0;
    return new ReadableStream(
      {
        pull(controller) {
          pulled += 1;
          sent += 1;
          controller.enqueue(new TextEncoder().encode(' '.repeat(1024)));
          if (sent === 100) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  };

  it('[T28] a large body of a visitor is not read', async () => {
    expect(
      (await call('/api/v1/links/bulk', { method: 'POST', body: body(), headers })).status,
    ).toBe(401);
    expect(
      (await call('/api/shorten/bulk', { method: 'POST', body: body(), headers })).status,
    ).toBe(401);
    expect(pulled).toBe(0);
    const member = { ...headers, ...(await makePerson()).headers };
    expect(
      (await call('/api/shorten/bulk', { method: 'POST', body: body(), headers: member })).status,
    ).toBe(400);
    expect(pulled).toBe(100);
  });

  it('[T28] a large body is unread without scope or beyond the limit, and counts once', async () => {
    stopClock();
    const reader = await makeKey({ scopes: ['links:read'] });
    expect((await send(reader, 'POST /links/bulk', { body: body(), headers })).status).toBe(403);
    expect(pulled).toBe(0);
    const creator = await makeKey({ scopes: ['links:create'] });
    const { apiRequests } = PLANS.premium;
    const accepted = await send(creator, 'POST /links/bulk', { body: body(), headers });
    expect([accepted.status, accepted.headers.get('RateLimit')]).toEqual([
      400,
      `"minute";r=${apiRequests - 1};t=60`,
    ]);
    expect(pulled).toBe(100);
    await env.DB.prepare('UPDATE counters SET count = ?2 WHERE key = ?1')
      .bind(`api-key:${creator.key.id}`, apiRequests)
      .run();
    expect((await send(creator, 'POST /links/bulk', { body: body(), headers })).status).toBe(429);
    expect(pulled).toBe(100);
  });
});
