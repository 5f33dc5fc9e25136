import { startOfDay } from '#contract/reports/periods.ts';
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
import { beforeBatch } from '#worker/testing/faults.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { verifyTotals, readLastVerification, recomputeTotals } from './verify-totals.ts';
import { LINKS_PER_STEP } from '#worker/job-runtime/sweep-links.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 20, 15);
/** The time of `makeClick`. */
const NOON = Date.UTC(2026, 10, 20, 12);
const LINKS = LINKS_PER_STEP * 2 + 5;
const ids = Array.from({ length: LINKS }, (_, i) => i + 1);

/** A budget of `n` steps. */
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
      is_full: true,
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
      done: { links_verified: LINKS_PER_STEP },
      left: LINKS - LINKS_PER_STEP,
    });
    expect(await readLastVerification(db)).toBeNull();
    await verifyTotals(env, NOW + DAY_MS, steps(1));
    expect(await verifyTotals(env, NOW + 3 * DAY_MS, steps(2))).toEqual({
      done: { links_verified: LINKS, differences: 0 },
    });
    expect((await readLastVerification(db))?.links).toBe(LINKS);
    await verifyTotals(env, NOW + 3 * DAY_MS, steps(9));
    expect(await verifyTotals(env, NOW + 3 * DAY_MS + 1, steps(9))).toEqual({});
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

  it('recomputeTotals skips a link that is clicked while it runs', async () => {
    await env.DB.prepare('UPDATE link_totals SET human = 9 WHERE link_id = 2').run();
    const click = env.DB.prepare(
      'UPDATE link_totals SET human = human + 1, rev = rev + 1 WHERE link_id = 2',
    );
    const racing = openDb(beforeBatch(env.DB, (nth) => (nth === 2 ? click.run() : null)));
    expect(await recomputeTotals(racing, NOW)).toMatchObject({ repaired: 0 });
    const totals = await rowsOf('link_totals');
    expect(totals.find((row) => row['link_id'] === 2)).toMatchObject({ human: 10 });
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

describe('verifyTotals between two verifications of all links', () => {
  const clickOn = (link: number, day: number) =>
    foldWindows(
      env.DB,
      [makeWindow([makeClick(link, { t: NOON + day * DAY_MS })])],
      NOW + day * DAY_MS,
    );
  const spoil = (link: number) =>
    env.DB.prepare('UPDATE link_totals SET human = human + 5 WHERE link_id = ?1').bind(link).run();
  const verifyOn = async (day: number) => {
    const said = await verifyTotals(env, NOW + day * DAY_MS);
    return { said, result: await readLastVerification(db) };
  };

  it('reads the links that were clicked lately, and finds what is wrong with them', async () => {
    await verifyOn(0);
    await verifyOn(2);
    await clickOn(2, 3);
    // The first moment of the days that are read again.
    const atMidnight = makeClick(4, { t: startOfDay(NOW) + 2 * DAY_MS });
    await foldWindows(env.DB, [makeWindow([atMidnight])], NOW + 3 * DAY_MS);
    await spoil(2);
    expect(await verifyOn(4)).toMatchObject({
      said: { done: { links_checked_lately: 2, differences: 1 } },
      result: {
        ok: false,
        is_full: false,
        links: 2,
        drift: [{ short_code: 'link2', expected: 2, found: 7 }],
      },
    });
    // Until it is repaired, every verification is of all links.
    expect(await verifyOn(5)).toMatchObject({ result: { ok: false, links: LINKS } });
    await recomputeTotals(db, NOW + 5 * DAY_MS + 1);
    expect(await verifyOn(6)).toMatchObject({ result: { ok: true, links: 0 } });
  });

  it('verifies all links once a week, and after a pause', async () => {
    await verifyOn(0);
    await verifyOn(2);
    await spoil(4);
    for (const day of [4, 6])
      expect((await verifyOn(day)).said).toEqual({
        done: { links_checked_lately: 0, differences: 0 },
      });
    expect(await verifyOn(7)).toMatchObject({
      result: { ok: false, links: LINKS, drift: [{ short_code: 'link4' }] },
    });
    await recomputeTotals(db, NOW + 7 * DAY_MS + 1);
    expect((await verifyOn(10)).said).toEqual({
      done: { links_verified: LINKS, differences: 0 },
    });
  });

  it('counts the clicks of 30 days as a verification of all links does', async () => {
    for (let day = 0; day <= 40; day++) {
      if (day % 3 !== 1) await clickOn(1 + (day % 4), day);
      // Some runs are missed.
      if (day % 5 === 2) continue;
      const { result } = await verifyOn(day);
      const before = (from: number) =>
        Array.from({ length: 30 }, (_, i) => day - from + i).filter(
          (one) => one > 0 && one < day && one % 3 !== 1,
        ).length;
      // `beforeEach` has clicks of people on two thirds of the links, on day 0.
      const atStart = day > 0 ? ids.filter((id) => id % 3).length + 1 : 0;
      expect(result?.clicks).toEqual({
        now: before(30) + (day <= 30 ? atStart : 0),
        before: before(60) + (day > 30 ? atStart : 0),
      });
    }
  });

  it('reads little of links that are not clicked', async () => {
    const rowsOn = async (day: number) => {
      const counted = countRowsRead(env.DB);
      await verifyTotals({ ...env, DB: counted.db }, NOW + day * DAY_MS);
      return counted.rowsRead();
    };
    await rowsOn(0);
    await rowsOn(2);
    await clickOn(1, 2);
    // Two rows for each link, and a few for the end of the step and the last clicks.
    expect(await rowsOn(4)).toBeLessThan(2.3 * LINKS);
    expect(await rowsOn(8)).toBeGreaterThan(4 * LINKS);
  });
});
