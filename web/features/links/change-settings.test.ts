import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { makeLink, makeLinks } from '#web/testing/make-link.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { toSettingsRequest } from './change-settings.ts';
import { toUndoRequests } from './send-actions.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  takeToasts();
});

const limited = (seconds: number): Response =>
  new Response(JSON.stringify({ error: 'Slow down.', code: 'rate_limited' }), {
    status: 429,
    headers: { 'retry-after': `${seconds}` },
  });

/** Sends a change of `links` links to a server that rejects the second request. */
function send(rejected: Response, links = 3) {
  vi.useFakeTimers();
  let count = 0;
  let stopped = false;
  const requests = serve(() => {
    count += 1;
    return count === 2 ? rejected : {};
  });
  const change = { redirectStatus: 307 as const };
  const { ids, send: sendAll } = toSettingsRequest(makeLinks(links), change);
  const work = sendAll(ids, { onProgress: () => undefined, isStopped: () => stopped });
  const codes = () => requests.map((text) => /c\d/.exec(text)?.[0]);
  return { work, codes, stop: () => (stopped = true) };
}

describe('changing settings of links one after the other', () => {
  it('waits as long as Retry-After says, then sends the same link again', async () => {
    const { work, codes } = send(limited(120));
    await vi.advanceTimersByTimeAsync(119_000);
    expect(codes()).toEqual(['c1', 'c2']);
    expect(takeToasts()).toMatchObject([
      { text: 'Too many changes at once. Continuing in 120 seconds.' },
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(codes()).toEqual(['c1', 'c2', 'c2', 'c3']);
    const { acted, error } = await work;
    expect([acted.map(({ id, line }) => [id, line.ok]), error]).toEqual([
      [
        [1, true],
        [2, true],
        [3, true],
      ],
      null,
    ]);
  });

  it('a stop ends the pause after Retry-After', async () => {
    const { work, codes, stop } = send(limited(60));
    await vi.advanceTimersByTimeAsync(2000);
    stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await work).acted).toHaveLength(1);
    expect(codes()).toEqual(['c1', 'c2']);
  });

  it.each([
    ['a limit of the day', limited(40_000), 'Slow down.'],
    ['a longer wait than two minutes', limited(121), 'Slow down.'],
    ['a limit without a time', rejection(429, 'Slow down.'), 'Slow down.'],
    ['a request that took too long', rejection(408, 'Too slow.'), 'Too slow.'],
    ['a server that is down', rejection(503, 'Down.'), 'Down.'],
    ['an ended session', rejection(401, 'Sign in.'), 'Sign in.'],
  ])('ends at %s', async (_, rejected, message) => {
    const { work, codes } = send(rejected);
    const { acted, error } = await work;
    expect(acted).toHaveLength(1);
    expect(error).toMatchObject({ message });
    expect(codes()).toEqual(['c1', 'c2']);
  });

  it.each([
    ['one that is on hold', rejection(403, 'On hold.')],
    ['one that was deleted', rejection(404, 'Gone.')],
    ['an end before the start', rejection(400, 'Too late.', { field: 'expiresAt' })],
    ['a setting it cannot have', rejection(400, 'Not here.', { field: 'redirectStatus' })],
  ])('continues after a link that cannot be changed: %s', async (_, rejected) => {
    const { work } = send(rejected);
    const { acted, error } = await work;
    expect([acted.map(({ line }) => line.ok), error]).toEqual([[true, false, true], null]);
  });
});

/** Returns the requests of undoing a change of these links. */
async function undo(
  links: ListedLink[],
  change: LinkChange,
  answer = (asked: Asked): unknown => asked.body,
) {
  const requests = serve(answer);
  const { ids, undo: toUndo, note } = toSettingsRequest(links, change);
  for (const request of toUndo(ids))
    await request.send(request.ids, { onProgress: () => undefined, isStopped: () => false });
  return { requests, note };
}

describe('toUndoRequests', () => {
  it('makes a request for all links with the same undo, and none for unchanged links', () => {
    const end = (expiresAt: number) => ({ action: 'set_end' as const, expiresAt });
    const acted = [end(1), end(2), null, end(1)].map((back, id) => {
      return { id, line: { ok: true as const, code: '', undo: back } };
    });
    const failed = { ok: false as const, code: '', error: 'No.' };
    expect(toUndoRequests([...acted, { id: 9, line: failed }])).toEqual([
      { action: 'set_end', expiresAt: 1, ids: [0, 3] },
      { action: 'set_end', expiresAt: 2, ids: [1] },
    ]);
  });
});

describe('undoing a change of settings', () => {
  it('gives each link what it had, and leaves out links that had the new settings', async () => {
    const links = [
      makeLink({
        id: 1,
        short_code: 'c1',
        starts_at: '2099-01-01T00:00:00.000Z',
        fallback_url: 'https://a.example/',
      }),
      makeLink({ id: 2, short_code: 'c2' }),
      makeLink({ id: 3, short_code: 'c3', fallback_url: 'https://b.example/' }),
    ];
    const { requests } = await undo(links, {
      startsAt: null,
      fallbackUrl: 'https://b.example/',
    });
    expect(requests).toEqual([
      'PATCH /api/links/c1 {"startsAt":4070908800000,"fallbackUrl":"https://a.example/"}',
      'PATCH /api/links/c2 {"fallbackUrl":""}',
    ]);
  });

  it('leaves out passwords, and says so', async () => {
    const change = { password: 'sesame', clickLimit: null };
    const links = makeLinks(1, { has_password: true, click_limit: 5 });
    const { requests, note } = await undo(links, change);
    expect(requests).toEqual(['PATCH /api/links/c1 {"clickLimit":5}']);
    expect(note).toBe('Undo does not change passwords. After Undo, click limits count from 0.');
  });

  it('continues after a link that cannot have again what it had', async () => {
    const links = makeLinks(2, { fallback_url: 'https://a.example/' });
    const rejected = () => rejection(400, 'No.', { field: 'fallbackUrl' });
    expect((await undo(links, { fallbackUrl: '' }, rejected)).requests).toHaveLength(2);
  });

  it('says that a click limit counts from 0 after it was removed', async () => {
    const { note } = await undo(makeLinks(1, { click_limit: 9 }), { clickLimit: null });
    expect(note).toBe('After Undo, click limits count from 0.');
    expect((await undo(makeLinks(1), { clickLimit: null })).note).toBe('');
  });
});
