import {
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClickWindow } from './click-event.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { call } from '#worker/testing/call.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

const PERSON = {
  headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0' },
};

/** The clicks counted by the queue, whose windows close at once. */
let counted = 0;
const OVER = {
  CLICK_WINDOW_MS: '1',
  LINK_MEMORY_MS: '5000',
  CLICKS: withMethods(env.CLICKS, {
    send: ({ e }: ClickWindow) => ((counted += e.length), Promise.resolve()),
  }),
};

const rowOf = (id: number) =>
  env.DB.prepare('SELECT click_limit, limit_id, limit_used FROM links WHERE id = ?')
    .bind(id)
    .first<{ limit_id: string; limit_used: number }>();
async function objectOf(id: number) {
  return env.CLICK_LIMITS.getByName((await rowOf(id))?.limit_id ?? '');
}
/** The outcomes that were counted since the last call, each with its number. */
const limited = () =>
  takeWindow().flatMap(({ name, values, count }) =>
    name === 'hop.clicks.limited' ? [`${values.join(' ')} ${count}`] : [],
  );
const follow = (code: string, bindings: object = OVER) => call(`/${code}`, PERSON, bindings);
const statusesOf = async (responses: Promise<Response>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('a link with a click limit', () => {
  it('redirects exactly as often as its limit says under 100 parallel clicks', async () => {
    const { code, id } = await storeLink({ clickLimit: 10 });
    counted = 0;
    const clicks = Array.from({ length: 100 }, () => follow(code));
    const { 302: redirects = 0, 503: late = 0, 410: refused = 0 } = await statusesOf(clicks);
    // A busy machine may count a click and answer too late, which costs a redirect.
    expect(redirects).toBeLessThanOrEqual(10);
    expect(redirects + late).toBeGreaterThanOrEqual(10);
    expect(redirects + late + refused).toBe(100);
    expect(counted).toBe(redirects);
    await runDurableObjectAlarm(await objectOf(id));
    expect(await rowOf(id)).toMatchObject({ limit_used: 10 });
  });

  it('keeps its count while the object restarts between clicks', async () => {
    const { code, id } = await storeLink({ clickLimit: 3 });
    const seen: number[] = [];
    for (let at = 0; at < 5; at++) {
      seen.push((await follow(code)).status);
      await evictDurableObject(await objectOf(id));
    }
    expect(seen).toEqual([302, 302, 302, 410, 410]);
  });

  it('asks the object also if the isolate remembers the link', async () => {
    const { code } = await storeLink({ clickLimit: 1 });
    expect([(await follow(code)).status, (await follow(code)).status]).toEqual([302, 410]);
  });

  it('says why it does not redirect, or leads to its fallback', async () => {
    const { code } = await storeLink({ clickLimit: 0 });
    const page = await follow(code);
    expect(page.status).toBe(410);
    expect(page.headers.get('Cache-Control')).toContain('no-store');
    expect(await page.text()).toContain('This link has reached its limit');
    const other = await storeLink({
      clickLimit: 0,
      fallbackUrl: 'https://example.com/after',
      redirectStatus: 301,
    });
    const led = await follow(other.code);
    expect([led.status, led.headers.get('Location')]).toEqual([302, 'https://example.com/after']);
  });

  it('takes a raised or lowered limit at once and keeps its count', async () => {
    const { code, id } = await storeLink({ clickLimit: 1 });
    const seen: number[] = [];
    for (const limit of [1, 3, 2]) {
      await env.DB.prepare('UPDATE links SET click_limit = ?, version = version + 1 WHERE id = ?')
        .bind(limit, id)
        .run();
      await publishLinks(env, [id], Date.now());
      seen.push((await follow(code)).status, (await follow(code)).status);
    }
    expect(seen).toEqual([302, 410, 302, 302, 410, 410]);
  });

  it('counts no wrong password, and a right one like a click', async () => {
    const hash = (await hashPassword(null, 'open sesame')) ?? '';
    const { code, target } = await storeLink({ clickLimit: 1, password: hash });
    const enter = (password: string) =>
      call(
        `/${code}`,
        {
          method: 'POST',
          headers: { ...PERSON.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ password }).toString(),
        },
        OVER,
      );
    expect([(await follow(code)).status, (await enter('wrong')).status]).toEqual([200, 403]);
    const led = await enter('open sesame');
    expect([led.status, led.headers.get('Location')]).toEqual([303, target]);
    expect((await enter('open sesame')).status).toBe(410);
  });

  it('programs, HEAD and prefetches neither use the limit up nor pass it', async () => {
    const { code, target } = await storeLink({ clickLimit: 1 });
    const prefetch = { ...PERSON.headers, 'Sec-Purpose': 'prefetch;prerender' };
    for (const init of [
      { method: 'HEAD', ...PERSON },
      { headers: { 'User-Agent': 'Googlebot/2.1' } },
      { headers: {} },
      { headers: prefetch },
    ]) {
      const response = await call(`/${code}`, init, OVER);
      expect(response.status).toBe(403);
      expect(response.headers.get('Cache-Control')).toContain('no-store');
      const shown = JSON.stringify([...response.headers]) + (await response.text());
      expect(shown).not.toContain(new URL(target).host);
    }
    expect((await follow(code)).status).toBe(302);
  });

  it.each([
    [false, 503],
    [true, 302],
  ])('answers as its owner chose if the object fails: open %s', async (isLimitOpen, status) => {
    const { code, target } = await storeLink({ clickLimit: 1, isLimitOpen });
    const CLICK_LIMITS = withMethods(env.CLICK_LIMITS, {
      getByName: () => ({ take: () => Promise.reject(new Error('overloaded')) }),
    });
    const lines = logLines();
    takeWindow();
    const response = await follow(code, { ...OVER, CLICK_LIMITS });
    expect(response.status).toBe(status);
    expect(response.headers.get('Location')).toBe(isLimitOpen ? target : null);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        event: 'click_limit_unreachable',
        outcome: isLimitOpen ? 'open' : 'closed',
      }),
    );
    expect(limited()).toEqual([isLimitOpen ? 'open 1' : 'closed 1']);
  });

  it('waits one second for an object that does not answer', async () => {
    const { code } = await storeLink({ clickLimit: 1 });
    const CLICK_LIMITS = withMethods(env.CLICK_LIMITS, {
      getByName: () => ({ take: () => new Promise(() => undefined) }),
    });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const response = await follow(code, { ...OVER, CLICK_LIMITS });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_000);
  });
});

describe('the object of a link', () => {
  it('counts ten of 100 parallel clicks on a limit of ten', async () => {
    const { id } = await storeLink({ clickLimit: 10 });
    const object = await objectOf(id);
    const link = { id, limitId: String((await rowOf(id))?.limit_id) };
    const taken = await Promise.all(Array.from({ length: 100 }, () => object.take(link, 10)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(10);
  });

  it('a counter that has lost its count starts at what D1 last heard', async () => {
    const { code, id } = await storeLink({ clickLimit: 3 });
    await env.DB.prepare('UPDATE links SET limit_used = 2 WHERE id = ?').bind(id).run();
    takeWindow();
    expect([(await follow(code)).status, (await follow(code)).status]).toEqual([302, 410]);
    expect(limited()).toEqual(['counted 1', 'reached 1']);
  });

  it('reports nothing that D1 knows, and to the id that its link has now', async () => {
    const { code, id } = await storeLink({ clickLimit: 3 });
    await env.DB.prepare('UPDATE links SET limit_used = 3 WHERE id = ?').bind(id).run();
    const object = await objectOf(id);
    expect((await follow(code)).status).toBe(410);
    expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).toBeNull();
    const other = await storeLink({ clickLimit: 9 });
    const adopted = { id: other.id + 1_000_000, limitId: (await rowOf(other.id))?.limit_id ?? '' };
    const moved = await objectOf(other.id);
    await follow(other.code);
    await env.DB.prepare('UPDATE links SET id = ?1 WHERE id = ?2').bind(adopted.id, other.id).run();
    await moved.take(adopted, 9);
    await runDurableObjectAlarm(moved);
    expect(await rowOf(adopted.id)).toMatchObject({ limit_used: 2 });
  });

  it('keeps its count if D1 is restored to an earlier one', async () => {
    const { code, id } = await storeLink({ clickLimit: 2 });
    await follow(code);
    await env.DB.prepare('UPDATE links SET limit_used = 0 WHERE id = ?').bind(id).run();
    expect([(await follow(code)).status, (await follow(code)).status]).toEqual([302, 410]);
  });

  it('reports clicks together, and never a lower count', async () => {
    const { code, id } = await storeLink({ clickLimit: 9 });
    const object = await objectOf(id);
    await follow(code);
    const due = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    await follow(code);
    expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).toBe(due);
    expect(await rowOf(id)).toMatchObject({ limit_used: 0 });
    await runDurableObjectAlarm(object);
    expect(await rowOf(id)).toMatchObject({ limit_used: 2 });
    await env.DB.prepare('UPDATE links SET limit_used = 7 WHERE id = ?').bind(id).run();
    await follow(code);
    await runDurableObjectAlarm(object);
    expect(await rowOf(id)).toMatchObject({ limit_used: 7 });
  });

  it('reports sooner once the limit is reached', async () => {
    const { code, id } = await storeLink({ clickLimit: 2 });
    const object = await objectOf(id);
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    await follow(code);
    const usual = await alarm();
    await follow(code);
    expect(await alarm()).toBeLessThan(usual ?? 0);
  });

  it('refuses a link that D1 does not know under its name', async () => {
    const { code, id } = await storeLink({ clickLimit: 2 });
    await env.DB.prepare(`UPDATE links SET limit_id = 'another' WHERE id = ?`).bind(id).run();
    expect((await follow(code)).status).toBe(410);
  });
});
