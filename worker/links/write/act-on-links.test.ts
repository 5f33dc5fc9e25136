import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LinkActionLine, LinkActionRequest } from '#contract/links/link-actions.ts';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

const DAY_MS = 86_400_000;

/** A link of the member, published. */
async function make(person: Person): Promise<string> {
  const { code, id } = await storeLink();
  await env.DB.prepare('UPDATE links SET user_id = ?1 WHERE id = ?2').bind(person.id, id).run();
  return code;
}
const act = async (
  person: Person,
  request: Partial<LinkActionRequest>,
): Promise<LinkActionLine[]> => {
  const response = await call('/api/links/actions', { json: request, headers: person.headers });
  expect(response.status).toBe(200);
  return (await response.json<{ lines: LinkActionLine[] }>()).lines;
};
const list = async (person: Person, query = ''): Promise<string[]> =>
  (
    await (await call(`/api/my-urls?${query}`, { headers: person.headers })).json<MyLinksResponse>()
  ).urls.map((link) => link.short_code);
const statusOf = async (code: string): Promise<number> => (await call(`/${code}`)).status;
const set = (code: string, fields: string) =>
  env.DB.prepare(`UPDATE links SET ${fields} WHERE code = ?1`).bind(code).run();

describe('POST /api/links/actions', () => {
  it('changes many links at once, at the edge too, and says which it could not', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [a, b, held, theirs] = [
      await make(me),
      await make(me),
      await make(me),
      await make(other),
    ];
    await set(held, "status = 'disabled', disabled_by = 'admin'");
    const lines = await act(me, { codes: [a, held, theirs, 'unknown', b], action: 'disable' });
    expect(lines.map(({ ok }) => ok)).toEqual([true, false, false, false, true]);
    expect(await Promise.all([a, b, theirs].map(statusOf))).toEqual([410, 410, 302]);
    expect(await act(me, { codes: [a], action: 'disable' })).toEqual([
      { ok: true, code: a, undo: null },
    ]);
    await act(me, { codes: [a, b], action: 'enable' });
    expect(await Promise.all([a, b].map(statusOf))).toEqual([302, 302]);
    // A link that needs no change is none that has changed too often.
    await set(a, 'changes_until = 9e15');
    expect(await act(me, { codes: [a], action: 'enable' })).toMatchObject([{ ok: true }]);
    await set(a, 'changes_until = 0');
    expect(
      (await act(me, { codes: [a], action: 'set_end', expiresAt: 5 })).map(({ ok }) => ok),
    ).toEqual([false]);
    const end = Date.now() + DAY_MS;
    await act(me, { codes: [a, b], action: 'set_end', expiresAt: end });
    const ends = await env.DB.prepare('SELECT count(*) AS n FROM links WHERE expires_at = ?1')
      .bind(end)
      .first('n');
    expect(ends).toBe(2);
  });

  it('adds and removes tags, favorites and archived links without a new version', async () => {
    const me = await makePerson();
    const [a, b, c] = [await make(me), await make(me), await make(me)];
    await act(me, { codes: [a, b], action: 'add_tags', tags: ['one', 'two'] });
    expect(await list(me, 'tag=two')).toEqual([b, a]);
    await act(me, { codes: [a], action: 'remove_tags', tags: ['TWO'] });
    expect(await list(me, 'tag=two')).toEqual([b]);
    await act(me, { codes: [b, c], action: 'archive' });
    await act(me, { codes: [c], action: 'favorite' });
    expect(await list(me)).toEqual([a]);
    expect(await list(me, 'status=archived')).toEqual([c, b]);
    expect(await list(me, 'status=archived&favorite=1')).toEqual([c]);
    await act(me, { codes: [b, c], action: 'unarchive' });
    expect(await list(me)).toEqual([c, b, a]);
    expect(
      await env.DB.prepare('SELECT max(version) AS n FROM links WHERE user_id = ?1')
        .bind(me.id)
        .first('n'),
    ).toBe(1);
    expect(await Promise.all([a, b, c].map(statusOf))).toEqual([302, 302, 302]);
  });

  it('checks the target of a link that is enabled again', async () => {
    const me = await makePerson();
    const code = await make(me);
    await act(me, { codes: [code], action: 'disable' });
    await set(code, "target = 'https://blocked.example.net/', target_host = 'blocked.example.net'");
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at, applied_at) VALUES ('host', 'blocked.example.net', 1, 1)",
    ).run();
    expect((await act(me, { codes: [code], action: 'enable' }))[0]).toMatchObject({ ok: false });
    expect(await statusOf(code)).toBe(410);
  });
});

describe('the trash', () => {
  it('the trash gives deleted links back as they were, for 30 days', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [on, off, late] = [await make(me), await make(me), await make(me)];
    await act(me, { codes: [off], action: 'disable' });
    await act(me, { codes: [on, off, late], action: 'delete' });
    expect(await Promise.all([on, off, late].map(statusOf))).toEqual([410, 410, 410]);
    expect(await list(me)).toEqual([]);
    await set(late, `updated_at = ${Date.now() - 31 * DAY_MS}`);
    expect((await list(me, 'status=trash')).toSorted()).toEqual([on, off].toSorted());
    expect((await act(other, { codes: [on], action: 'restore' }))[0]?.ok).toBe(false);
    expect(
      (await act(me, { codes: [on, off, late], action: 'restore' })).map(({ ok }) => ok),
    ).toEqual([true, true, false]);
    expect(await Promise.all([on, off, late].map(statusOf))).toEqual([302, 410, 410]);
    expect(await list(me, 'status=disabled')).toEqual([off]);
    expect(await list(me, 'q=' + on)).toEqual([on]);
    expect(await list(me, 'status=trash')).toEqual([]);
  });

  it('the trash lists the link that was deleted last first', async () => {
    const me = await makePerson();
    const [older, newer] = [await make(me), await make(me)];
    await act(me, { codes: [older, newer], action: 'delete' });
    await set(newer, `updated_at = ${Date.now() - DAY_MS}`);
    expect(await list(me, 'status=trash')).toEqual([older, newer]);
  });

  it('[T1] [T51] the trash gives no held link back, but every link that is only reported', async () => {
    const me = await makePerson();
    const [held, reported, acted] = [await make(me), await make(me), await make(me)];
    const again = 'trash-again';
    expect(
      (
        await call('/api/shorten', {
          json: { longUrl: 'https://example.com', customCode: again },
          headers: me.headers,
        })
      ).status,
    ).toBe(201);
    const report = (code: string, status: string) =>
      env.DB.prepare(
        "INSERT INTO abuse_reports (link_id, reason, status, created_at) SELECT id, 'spam', ?2, 1 FROM links WHERE code = ?1",
      ).bind(code, status);
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO link_holds (link_id, kind, created_at) SELECT id, 'host', 1 FROM links WHERE code = ?1",
      ).bind(held),
      report(reported, 'open'),
      report(acted, 'acted'),
    ]);
    const codes = [held, reported, acted, again];
    await act(me, { codes, action: 'delete' });
    await call('/api/shorten', {
      json: { longUrl: 'https://example.com/new', customCode: again },
      headers: me.headers,
    });
    expect((await act(me, { codes, action: 'restore' })).map(({ ok }) => ok)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(await Promise.all(codes.map(statusOf))).toEqual([410, 302, 410, 302]);
  });
});
