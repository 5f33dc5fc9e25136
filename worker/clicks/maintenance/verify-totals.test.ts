import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/job-runtime/job-budget.ts';
import { saveJobState } from '#worker/job-runtime/job-state.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  UA_BOT,
} from '#worker/testing/clicks.ts';
import { verifyTotals, readLastVerification, recomputeTotals } from './verify-totals.ts';
import { LINKS_PER_STEP } from '#worker/job-runtime/sweep-links.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 20, 15);
/** The time of `makeClick`. */
const NOON = Date.UTC(2026, 10, 20, 12);
const LINKS = LINKS_PER_STEP * 2 + 5;
const ids = Array.from({ length: LINKS }, (_, i) => i + 1);

/** A budget of so many steps. */
const steps = (n: number): JobBudget => ({ canContinue: () => --n > 0, kvWrites: () => 0 });

beforeEach(async () => {
  await deleteClicks();
  await makeLinks(ids);
  await foldWindows(
    env.DB,
    [
      makeWindow(
        ids.flatMap((id) =>
          id % 3 ? [makeClick(id, { k: 'a' }), makeClick(id, { ua: UA_BOT })] : [],
        ),
      ),
    ],
    NOW,
  );
});

describe('verifyTotals', () => {
  it('stores a result with its time', async () => {
    expect(await readLastVerification(db)).toBeNull();
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toEqual({
      ok: true,
      checked_at: new Date(NOW).toISOString(),
      links: LINKS,
      drift: [],
      // Today is not over, so the clicks of `makeClick` do not belong to the last 30 days.
      clicks: { now: 0, before: 0 },
    });
  });

  it('counts the clicks of people in the last 30 days and in the 30 days before', async () => {
    const today = Date.UTC(2026, 10, 20);
    const days = [-1, -30, -31, -60, -61];
    await foldWindows(
      env.DB,
      [makeWindow(days.flatMap((day) => [makeClick(1, { t: today + day * DAY_MS })]))],
      NOW,
    );
    await foldWindows(
      env.DB,
      [
        makeWindow([
          makeClick(LINKS, { t: today - 1 }),
          makeClick(2, { t: today - 1, ua: UA_BOT }),
        ]),
      ],
      NOW,
    );
    // Two runs, the second one on the next day: the days of the first one count.
    await verifyTotals(env, NOW, steps(1));
    await verifyTotals(env, NOW + DAY_MS, steps(9));
    expect((await readLastVerification(db))?.clicks).toEqual({ now: 3, before: 2 });
  });

  it('returns null for a stored result of another shape', async () => {
    const old = { ok: true, checked_at: new Date(NOW).toISOString(), links: 3, drift: [] };
    await saveJobState(db, 'click-proof:result', {
      at: NOW,
      ok: true,
      detail: JSON.stringify(old),
    });
    expect(await readLastVerification(db)).toBeNull();
  });

  it('continues a bounded run in the next one, and stores no partial result', async () => {
    expect(await verifyTotals(env, NOW, steps(1))).toEqual({
      detail: `${LINKS_PER_STEP} links so far`,
      left: LINKS - LINKS_PER_STEP,
    });
    expect(await readLastVerification(db)).toBeNull();
    await verifyTotals(env, NOW + DAY_MS, steps(1));
    expect(await verifyTotals(env, NOW + 3 * DAY_MS, steps(2))).toBe(`${LINKS} links, verified`);
    expect((await readLastVerification(db))?.links).toBe(LINKS);
    await verifyTotals(env, NOW + 3 * DAY_MS, steps(9));
    expect(await verifyTotals(env, NOW + 3 * DAY_MS + 1, steps(9))).toBe('nothing due');
  });

  it('stores 20 wrong totals at most', async () => {
    await env.DB.prepare('UPDATE link_totals SET bot = bot + 1').run();
    await verifyTotals(env, NOW);
    const result = await readLastVerification(db);
    expect(result).toMatchObject({ ok: false, links: LINKS });
    expect(result?.drift).toHaveLength(20);
    expect(result?.drift[0]).toEqual({ short_code: 'link1', figure: 'bot', expected: 1, found: 2 });
  });

  it('recomputeTotals raises the revision of the links it repairs, and of no others', async () => {
    const revs = async () =>
      new Map((await rowsOf('link_totals')).map((row) => [row['link_id'], row['rev']]));
    await env.DB.prepare('UPDATE link_totals SET human = 9 WHERE link_id = 2').run();
    const before = await revs();
    await recomputeTotals(db, NOW);
    expect(await revs()).toEqual(before.set(2, Number(before.get(2)) + 1));
  });

  it('finds wrong totals of any link, and recomputeTotals repairs them', async () => {
    await env.DB.batch([
      env.DB.prepare('UPDATE link_totals SET human = 7, visitors = 0 WHERE link_id = 1'),
      env.DB.prepare(
        `UPDATE link_totals SET human = 0, bot = 0, visitors = 0 WHERE link_id = ${LINKS - 1}`,
      ),
      env.DB.prepare('INSERT INTO link_totals (link_id, prefetch) VALUES (3, 5)'),
    ]);
    await verifyTotals(env, NOW);
    const last = { short_code: `link${LINKS - 1}`, expected: 1, found: 0 };
    const result = await readLastVerification(db);
    expect(result?.ok).toBe(false);
    expect(result?.drift.length).toBe(6);
    expect(result?.drift).toEqual(
      expect.arrayContaining([
        { short_code: 'link1', figure: 'human', expected: 1, found: 7 },
        { short_code: 'link1', figure: 'visitors', expected: 1, found: 0 },
        { short_code: 'link3', figure: 'prefetch', expected: 0, found: 5 },
        ...['human', 'bot', 'visitors'].map((figure) => Object.assign({ figure }, last)),
      ]),
    );
    const repair = await recomputeTotals(db, NOW + 1);
    expect(repair).toMatchObject({
      repaired: 3,
      proof: { ok: true, links: LINKS, checked_at: new Date(NOW + 1).toISOString() },
    });
    const totals = await rowsOf('link_totals');
    expect(totals.find((row) => row['link_id'] === 1)).toMatchObject({
      human: 1,
      bot: 1,
      visitors: 1,
    });
    expect(totals.find((row) => row['link_id'] === 3)).toMatchObject({ human: 0, prefetch: 0 });
    expect(totals.find((row) => row['link_id'] === LINKS - 1)).toMatchObject({
      human: 1,
      bot: 1,
      visitors: 1,
    });
    expect(totals.find((row) => row['link_id'] === LINKS - 1)).toMatchObject({
      first_at: NOON,
      last_at: NOON,
    });
    expect(await recomputeTotals(db, NOW + 2)).toMatchObject({ repaired: 0 });
  });
});
