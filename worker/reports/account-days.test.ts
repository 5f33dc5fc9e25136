import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { noCounts } from '#worker/clicks/fold/counts.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findTopLinks, findTopLinksEver, type TopLink } from './account-days.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const db = openDb(env.DB);
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const clicksOf = (links: readonly TopLink[]) => links.map(({ id, clicks }) => [id, clicks]);

describe('findTopLinks', () => {
  it('lists ten links of the member, without those deleted since they were counted', async () => {
    const { id: me } = await makePerson();
    await makeLinks(range(1, 14), me);
    await makeLinks([20], 'somebody');
    await env.DB.prepare("UPDATE links SET status = 'deleted' WHERE id IN (1, 2)").run();
    const top = new Map([20, ...range(1, 14)].map((id) => [String(id), 50 - id]));
    const found = await findTopLinks(db, me, [{ day: 1, counts: noCounts(), top }]);
    expect(clicksOf(found)).toEqual(range(3, 12).map((id) => [id, 50 - id]));
  });
});

describe('findTopLinksEver', () => {
  it('lists ten links that were clicked, archived ones too', async () => {
    const { id: me } = await makePerson();
    await makeLinks(range(31, 42), me);
    await env.DB.prepare('UPDATE links SET archived = 1 WHERE id IN (32, 34)').run();
    const counts = range(31, 42).flatMap((id) => Array<number>(43 - id).fill(id));
    await foldWindows(env.DB, [makeWindow(counts.map((id) => makeClick(id, { t: NOW })))], NOW);
    const all = range(31, 40).map((id) => [id, 43 - id]);
    expect(clicksOf(await findTopLinksEver(db, me, NOW))).toEqual(all);
    const { id: other } = await makePerson();
    await makeLinks([51, 52], other);
    await foldWindows(env.DB, [makeWindow([makeClick(52, { t: NOW })])], NOW);
    expect(clicksOf(await findTopLinksEver(db, other, NOW))).toEqual([[52, 1]]);
  });
});
