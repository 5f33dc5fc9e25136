import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1, hangs, throwsBefore } from '#worker/testing/faults.ts';
import { storeLink } from '#worker/testing/stored-links.ts';
import { createLinkMemory } from './link-memory.ts';
import { resolveLink } from './resolve-link.ts';
import type { LookupLimits } from './batch-lookups.ts';
import { createStoredLinkReader } from './stored-link.ts';

const NOW = 1_800_000_000_000;
const LIMITS: LookupLimits = { everyMs: 50, codes: 4, suspectCodes: 2 };
const noWait = (): void => undefined;
let known: { code: string; id: number; target: string };
beforeAll(async () => {
  known = await storeLink({ isPublished: false });
});

/** The real database, noting its statements. */
function noteStatements() {
  const seen: { query: string; codes: number; at: number }[] = [];
  const DB = withMethods(env.DB, {
    prepare: (query: string) => {
      const statement = env.DB.prepare(query);
      const bind = (...values: unknown[]) => {
        seen.push({
          query,
          codes: query.includes('json_each') ? JSON.parse(String(values[0])).length : 0,
          at: Date.now(),
        });
        return statement.bind(...values);
      };
      return withMethods(statement, { bind });
    },
  });
  return { seen, DB };
}

describe('createStoredLinkReader', () => {
  it('reads the first code at once and the next ones together', async () => {
    const { seen, DB } = noteStatements();
    const read = createStoredLinkReader(LIMITS);
    const [link, ...unknown] = await Promise.all(
      [known.code, 'no-1', 'no-2', 'no-2', 'no-3'].map((code) =>
        read(DB, code, false, NOW, noWait),
      ),
    );
    expect(link).toMatchObject({
      record: { i: known.id, u: known.target, s: 'a' },
      updatedAt: expect.any(Number),
    });
    expect(unknown).toEqual([null, null, null, null]);
    expect(seen.map(({ codes }) => codes)).toEqual([1, 3]);
  });

  it('finds the link by its index alone', async () => {
    const { seen, DB } = noteStatements();
    await createStoredLinkReader(LIMITS)(DB, known.code, false, NOW, noWait);
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${seen[0]?.query}`).bind('["a"]').all();
    expect(JSON.stringify(plan.results)).toContain('USING INDEX links_by_code (code=?)');
  });

  it('a statement keeps half of its codes for networks below their limit', async () => {
    const read = createStoredLinkReader(LIMITS);
    const ask = (code: string, isSuspect: boolean) => read(env.DB, code, isSuspect, NOW, noWait);
    void ask('at-once', false);
    const answers = await Promise.all([
      ask('no-1', true),
      ask(known.code, true),
      ask('no-3', true),
      ask('no-4', false),
      ask('no-5', false),
      ask('no-6', false),
      ask(known.code, true),
    ]);
    expect(
      answers.map((answer) =>
        answer !== null && typeof answer === 'object' ? answer.record.i : answer,
      ),
    ).toEqual([null, known.id, 'full', null, null, 'full', known.id]);
  });

  it('rejects everyone who waits for a statement that fails, and reads again', async () => {
    const read = createStoredLinkReader({ ...LIMITS, everyMs: 0 });
    const down = aroundD1(env.DB, throwsBefore('D1_ERROR: overloaded'));
    await expect(read(down, 'a', false, NOW, noWait)).rejects.toThrow('overloaded');
    expect(await read(env.DB, known.code, false, NOW, noWait)).toMatchObject({
      record: { i: known.id },
    });
  });

  it('a batch whose request was cancelled is given up', async () => {
    const read = createStoredLinkReader({ ...LIMITS, everyMs: 1_000 });
    void read(env.DB, 'at-once', false, NOW, noWait);
    // Never starts: its request ends while it waits.
    void read(env.DB, 'cancelled', false, NOW, noWait);
    expect(await read(env.DB, known.code, false, NOW + 2_001, noWait)).toMatchObject({
      record: { i: known.id },
    });
  });

  it('a statement that hangs is not waited for', async () => {
    const read = createStoredLinkReader(LIMITS);
    void read(aroundD1(env.DB, hangs), 'hangs', false, NOW, noWait);
    expect(await read(env.DB, known.code, false, NOW + 50, noWait)).toMatchObject({
      record: { i: known.id },
    });
  });

  it('a reader starts at once after the clock was set back', async () => {
    const { seen, DB } = noteStatements();
    const read = createStoredLinkReader({ ...LIMITS, everyMs: 50 });
    await read(DB, 'before', false, NOW, noWait);
    const start = performance.now();
    await read(DB, 'after', false, NOW - 3_600_000, noWait);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(seen).toHaveLength(2);
  });
});

describe('a flood of unknown codes', () => {
  const requestFrom = (n: number): Request =>
    new Request('https://hop.example/', {
      headers: { 'CF-Connecting-IP': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
    });

  it('[A18] a flood from 10,000 networks costs 20 statements a second, and links are found', async () => {
    const { seen, DB } = noteStatements();
    // KV has none of the codes.
    const LINKS = withMethods(env.LINKS, { get: () => Promise.resolve(null) });
    const lookup = {
      stores: { DB, LINKS, LINKS_EPOCH: '' },
      memory: createLinkMemory(),
      readStoredLink: createStoredLinkReader(),
    };
    const found = new Map<string, number>();
    let next = 0;
    const start = Date.now();
    const line = async (): Promise<void> => {
      for (let n = next++; n < 10_000; n = next++) {
        const code = n % 1_000 === 0 ? known.code : `flood-${n}`;
        const now = Date.now();
        const { kind } = await resolveLink(code, {
          ...lookup,
          request: requestFrom(n),
          memoryMs: 0,
          now,
          waitUntil: noWait,
        });
        found.set(kind, (found.get(kind) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 150 }, line));
    const seconds = (Date.now() - start) / 1000;
    console.log(`10,000 codes in ${seconds} s with ${seen.length} statements`);
    expect(Object.fromEntries(found)).toEqual({ link: 10, unknown: 9_990 });
    expect(seen.length).toBeLessThanOrEqual(seconds * 20 + 2);
  });

  it('[A18] a flood is refused beyond 200 codes a statement, with a time to retry', async () => {
    const { seen, DB } = noteStatements();
    const LINKS = withMethods(env.LINKS, { get: () => Promise.resolve(null) });
    const statuses = await Promise.all(
      Array.from({ length: 260 }, async (_, n) => {
        const headers = requestFrom(n).headers;
        const { status } = await call(
          `/crowd-${n}`,
          { headers },
          { LINKS, DB, CLICK_WINDOW_MS: '1' },
        );
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([404, 503]));
    expect(Math.max(...seen.map(({ codes }) => codes))).toBe(200);
  });
});
