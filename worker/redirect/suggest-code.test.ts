import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1, hangs, throwsBefore } from '#worker/testing/faults.ts';
import { insertRow, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { suggestCode } from './suggest-code.ts';

const NOW = Date.now();
const noWait = (): void => undefined;
let clock = NOW;
// An hour later nothing is remembered, and no statement has to wait for the next one.
beforeEach(() => void (clock += 3_600_000));
const suggest = (code: string, db = env.DB) => suggestCode(db, code, clock, noWait);

const ALLOWED = { user_id: 'owner', suggest_on_typo: 1, expires_at: NOW + DAY_MS };
const insert = (code: string, columns: Readonly<Record<string, unknown>> = {}) =>
  insertRow(NOW, { ...ALLOWED, code, ...columns });

/** `env.DB`, and what each of its statements asked for and read. */
function observed() {
  const statements: { codes: number; rowsRead: number }[] = [];
  const db = withMethods(env.DB, {
    prepare: (query: string) => ({
      bind: (codes: string) => ({
        all: async () => {
          const result = await env.DB.prepare(query).bind(codes).all();
          const asked: readonly unknown[] = JSON.parse(codes);
          statements.push({ codes: asked.length, rowsRead: result.meta.rows_read });
          return result;
        },
      }),
    }),
  });
  return { db, statements };
}

const page = async (path: string, overrides: Partial<Env> = {}, headers = {}) => {
  const response = await call(path, { headers }, { LINK_MEMORY_MS: '0', ...overrides });
  return { status: response.status, html: await response.text() };
};

describe('suggestCode', () => {
  it.each([
    ['case', 'summerSALE', 'SummerSale'],
    ['0 and O', 'h0tel', 'hOtel'],
    ['1, l and I', '1lIi-x', 'Il1l-x'],
    ['2 and Z, 5 and S, 8 and B', '258-y', 'Zsb-y'],
    ['_ and -', 'a_b-c', 'a-b_c'],
  ])('finds the one link that differs by %s', async (_, unknown, code) => {
    await insert(code);
    expect(await suggest(unknown)).toBe(code);
  });

  it('finds a link with rules that has started', async () => {
    const rules = '[{"if":{"country":["BR"]},"to":"https://example.org/"}]';
    await insert('Ruled-link', { rules, starts_at: NOW - 1 });
    expect(await suggest('ruled-LINK')).toBe('Ruled-link');
  });

  it('finds nothing for a code that differs by another letter, or by one more', async () => {
    await insert('winter');
    expect(await suggest('vinter')).toBeNull();
    clock += 60_000;
    expect(await suggest('winter1')).toBeNull();
  });

  it.each([
    ['its owner has not allowed it', { suggest_on_typo: 0 }],
    ['it is disabled', { status: 'disabled' }],
    ['it is deleted', { status: 'deleted' }],
    ['it has expired', { expires_at: NOW - 1 }],
    ['it has not started', { starts_at: NOW + 1e9 }],
    ['it has released its code', { released_at: NOW }],
    ['nobody owns it', { user_id: null }],
  ])('never suggests a link if %s', async (why, columns) => {
    const code = `Never-${why.length}-${why.slice(0, 4).trim().replaceAll(/\W/g, '')}`;
    await insert(code, columns);
    expect(await suggest(code.toUpperCase())).toBeNull();
  });

  it.each([
    ['allows it', {}],
    ['does not allow it', { suggest_on_typo: 0 }],
    ['is disabled', { status: 'disabled' }],
  ])('suggests nothing if a second similar link %s', async (why, columns) => {
    const code = `Two-${why.length}o`;
    await insert(code);
    await insert(code.replace('o', '0'), columns);
    expect(await suggest(code.toUpperCase())).toBeNull();
  });

  it('reads at most two entries of an index and one row for a code', async () => {
    for (let n = 0; n < 64; n++)
      await insert(n.toString(2).padStart(6, '0').replaceAll('0', 'o').replaceAll('1', 'O'));
    await insert('Alone');
    const { db, statements } = observed();
    expect(await suggest('000000', db)).toBeNull();
    clock += 60_000;
    expect(await suggest('ALONE', db)).toBe('Alone');
    const read = statements.map(({ rowsRead }) => rowsRead);
    console.log(`rows read: ${read.join(', ')}`);
    expect(Math.max(...read)).toBeLessThanOrEqual(8);
  });

  it('[T14] looks up at most 50 codes in a statement, and makes one every 250 ms', async () => {
    const { db, statements } = observed();
    const codes = Array.from({ length: 120 }, (_, n) => `flood-${n}`);
    await Promise.all(codes.map((code) => suggest(code, db)));
    expect(statements.map(({ codes: asked }) => asked)).toEqual([1, 50]);
  });

  it('remembers the answer for 5 seconds', async () => {
    await insert('Remember');
    expect(await suggest('remember')).toBe('Remember');
    clock += 4_999;
    expect(await suggest('remember', UNTOUCHABLE_DB)).toBe('Remember');
    clock += 1;
    expect(await suggest('remember', UNTOUCHABLE_DB)).toBeNull();
  });

  it('remembers for 5 seconds that there is none', async () => {
    expect(await suggest('nothing-like-it')).toBeNull();
    await insert('Nothing-Like-It');
    clock += 4_999;
    expect(await suggest('nothing-like-it')).toBeNull();
    clock += 1;
    expect(await suggest('nothing-like-it')).toBe('Nothing-Like-It');
  });

  it.each([
    ['fails', throwsBefore('D1_ERROR: overloaded')],
    ['does not answer', hangs],
  ])('suggests nothing if D1 %s within a second', async (_, around) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await suggest('down', aroundD1(env.DB, around))).toBeNull();
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_000);
    timers.mockRestore();
  });
});

describe('the 404 page of a misspelled code', () => {
  it('[T14] names the code and leads to its preview, on the redirect and the preview', async () => {
    await insert('Poster-1');
    for (const path of ['/poster-l', '/poster-I+']) {
      const { status, html } = await page(path);
      expect(status).toBe(404);
      expect(html).toContain('Did you mean');
      expect(html).toContain('href="/Poster-1+"><bdi dir="ltr">localhost:8787/Poster-1<');
    }
  });

  it('suggests nothing to programs that ask for JSON, and reads nothing for them', async () => {
    await insert('Json-Code');
    const { html } = await page('/json-code', {}, { Accept: 'application/json' });
    expect(html).not.toContain('Json-Code');
  });

  it('costs one statement more than the miss, and none while both are remembered', async () => {
    await insert('Costs-1');
    let calls = 0;
    const DB = aroundD1(env.DB, (_, run) => ((calls += 1), run()));
    const callsOf = async (init: RequestInit, path = '/costs-l') => {
      calls = 0;
      await call(path, init, { DB, LINK_MEMORY_MS: '5000' });
      return calls;
    };
    expect(await callsOf({ method: 'HEAD' }, '/costs-I')).toBe(1);
    expect(await callsOf({})).toBe(2);
    expect(await callsOf({})).toBe(0);
  });

  it('[T14] a network over its limit of unknown codes gets no suggestion', async () => {
    await insert('Limited-1');
    const LIMIT_MISSES = { limit: () => Promise.resolve({ success: false }) };
    const { status, html } = await page(
      '/limited-l',
      { LIMIT_MISSES },
      { 'CF-Connecting-IP': '203.0.113.99' },
    );
    expect(status).toBe(429);
    expect(html).not.toContain('Limited-1');
  });
});
