import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { publishLinks } from '#worker/edge/publish.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { nextCode, storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import type { ClickWindow } from './click-event.ts';

let clicks = 0;
const CLICKS = withMethods(env.CLICKS, {
  send: ({ e }: ClickWindow) => ((clicks += e.length), Promise.resolve()),
});
const REMEMBERING = { CLICKS, CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '5000' };

/** KV that counts its reads. */
function countingKv() {
  let reads = 0;
  const LINKS = withMethods(env.LINKS, {
    get: (...given: Parameters<KVNamespace['get']>) => (reads++, env.LINKS.get(...given)),
  });
  return { LINKS, reads: () => reads };
}

beforeEach(() => {
  clicks = 0;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const advance = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

describe('a redirect from the memory of an isolate', () => {
  it('a redirect from memory reads no storage, and is counted', async () => {
    const { code, target } = await storeLink();
    const { LINKS, reads } = countingKv();
    const over = { ...REMEMBERING, LINKS };
    for (let i = 0; i < 3; i++)
      expect((await call(`/${code}`, {}, over)).headers.get('Location')).toBe(target);
    expect(reads()).toBe(1);
    expect(clicks).toBe(3);
    expect((await call(`/${code}`, { method: 'HEAD' }, over)).status).toBe(302);
    expect(clicks).toBe(3);
  });

  it('a redirect from memory parses no URL or query unless parameters are passed on', async () => {
    const { code, target } = await storeLink();
    await call(`/${code}`, {}, REMEMBERING);
    const parse = vi.fn();
    class Counted extends URLSearchParams {
      constructor(...given: ConstructorParameters<typeof URLSearchParams>) {
        super(...given);
        parse();
      }
    }
    vi.stubGlobal('URLSearchParams', Counted);
    for (const query of ['', '?qr=1', '?a=1&b=2'])
      expect((await call(`/${code}${query}`, {}, REMEMBERING)).headers.get('Location')).toBe(
        target,
      );
    vi.unstubAllGlobals();
    expect(parse).not.toHaveBeenCalled();
  });

  it('the memory is off if LINK_MEMORY_MS is 0', async () => {
    const { code } = await storeLink();
    const { LINKS, reads } = countingKv();
    for (let i = 0; i < 3; i++)
      await call(`/${code}`, {}, { ...REMEMBERING, LINK_MEMORY_MS: '0', LINKS });
    expect(reads()).toBe(3);
  });

  it('a link leaves the memory after LINK_MEMORY_MS', async () => {
    const { code } = await storeLink();
    const { LINKS, reads } = countingKv();
    const over = { ...REMEMBERING, LINK_MEMORY_MS: '2000', LINKS };
    await call(`/${code}`, {}, over);
    advance(1_999);
    await call(`/${code}`, {}, over);
    expect(reads()).toBe(1);
    advance(1);
    await call(`/${code}`, {}, over);
    expect(reads()).toBe(2);
  });

  it('a link leaves the memory after 5 s even if LINK_MEMORY_MS is an hour', async () => {
    const { code } = await storeLink();
    const { LINKS, reads } = countingKv();
    const over = { ...REMEMBERING, LINK_MEMORY_MS: '3600000', LINKS };
    await call(`/${code}`, {}, over);
    advance(4_999);
    await call(`/${code}`, {}, over);
    expect(reads()).toBe(1);
    advance(1);
    await call(`/${code}`, {}, over);
    expect(reads()).toBe(2);
  });

  it('a link in memory becomes a 410 at the moment it expires', async () => {
    const { code } = await storeLink({ expiresAt: Date.now() + 1_000 });
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(302);
    advance(999);
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(302);
    advance(1);
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(410);
    expect(clicks).toBe(2);
  });

  it('a link in memory stops at once after a change through the same isolate', async () => {
    const { code, id } = await storeLink();
    await call(`/${code}`, {}, REMEMBERING);
    await env.DB.prepare(`UPDATE links SET status = 'disabled', version = version + 1 WHERE id = ?`)
      .bind(id)
      .run();
    await publishLinks(env, [id], Date.now());
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(410);
  });
});

describe('an unknown code in the memory of an isolate', () => {
  it('[T14] D1 is asked once for an unknown code, which is forgotten when it is created', async () => {
    const code = nextCode();
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(404);
    expect((await call(`/${code}`, {}, { ...REMEMBERING, DB: UNTOUCHABLE_DB })).status).toBe(404);
    await storeLink();
    expect((await call(`/${code}`, {}, REMEMBERING)).status).toBe(302);
  });
});
