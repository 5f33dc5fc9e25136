import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findStopped } from './store.ts';

const MONDAY = Date.UTC(2026, 10, 23);

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM links').run();
});

describe('findStopped', () => {
  it('finds links that ended in the week of seven days, the latest first', async () => {
    const me = await makePerson();
    const [from, to] = [MONDAY - 7 * DAY_MS, MONDAY];
    const ends = [from - 1, from, to - 1, to];
    await makeLinks([1, 2, 3, 4, 5, 6], me.id);
    await env.DB.batch([
      ...ends.map((at, i) =>
        env.DB.prepare('UPDATE links SET expires_at = ? WHERE id = ?').bind(at, i + 1),
      ),
      // The owner has edited the notes since moderation disabled the links.
      env.DB.prepare(
        "UPDATE links SET status = 'disabled', disabled_by = 'admin', updated_at = ? WHERE id > 4",
      ).bind(to - 1),
      env.DB.prepare(
        "INSERT INTO link_holds VALUES (5, 'link', '', '', ?1), (5, 'owner', '', '', 1), (6, 'link', '', '', ?2), (6, 'host', 'x', '', ?1)",
      ).bind(to - 2, from - 1),
      env.DB.prepare('UPDATE links SET archived = 1 WHERE id IN (3, 5)'),
    ]);
    const found = (limit: number) =>
      findStopped(openDb(env.DB), me.id, MONDAY / DAY_MS, limit).then((links) =>
        links.map(({ code, reason }) => [code, reason]),
      );
    const all = [
      ['link3', 'ended'],
      ['link5', 'moderation'],
      ['link2', 'ended'],
    ];
    expect(await found(9)).toEqual(all);
    expect(await found(2)).toEqual(all.slice(0, 2));
  });

  it('a link that its owner has disabled several times counts in the week of the last', async () => {
    const me = await makePerson();
    /** For each link, the days before Monday on which it was disabled. */
    const histories = [[9, 3], [20, 10, 1], [20, 9], [5, -1], [0]];
    await makeLinks(
      histories.map((_, i) => i + 1),
      me.id,
    );
    const record = env.DB.prepare(
      "INSERT INTO link_changes (link_id, at, target, status, title, note, code, tags, archived) VALUES (?, ?, '', ?, '', '', '', '[]', 0)",
    );
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE links SET status = 'disabled', disabled_by = 'owner', updated_at = ?",
      ).bind(MONDAY + 2 * DAY_MS),
      ...histories.flatMap((days, i) =>
        days.flatMap((day) => [
          record.bind(i + 1, MONDAY - day * DAY_MS - HOUR_MS, 'disabled'),
          record.bind(i + 1, MONDAY - day * DAY_MS, 'active'),
        ]),
      ),
    ]);
    const found = await findStopped(openDb(env.DB), me.id, MONDAY / DAY_MS, 9);
    expect(found.map(({ code }) => code)).toEqual(['link2', 'link1']);
  });
});
