import { env } from 'cloudflare:test';
import { eq, like, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountExport } from '#contract/account/account.ts';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { openDb } from '#worker/db/client.ts';
import { qr_presets } from '#worker/db/schema-presets.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { abuse_reports, admin_log, blocklist } from '#worker/db/schema-moderation.ts';
import { auth_passkeys } from '#worker/db/schema-auth.ts';
import { links } from '#worker/db/schema-links.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { drainHostOutbox } from '#worker/edge/publish-hosts.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findInDatabase, findInKv, wholeDatabase } from '#worker/testing/scan.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';

const db = openDb(env.DB);
const WORDS = 'delete my account';
let root: Person;
beforeAll(async () => {
  root = await makePerson({ role: 'admin' });
});

const send = (
  who: Person,
  path: string,
  init: Record<string, unknown>,
  over: Partial<Env> = EMBEDDED,
) => call(path, { ...init, headers: who.headers }, over);
/**
 * Deletes an account, with the password of `signInEmbedded`. An account of the hosted service needs
 * none, because its sign-in is recent.
 */
const remove = (who: Person, json: object, over?: Partial<Env>) =>
  send(
    who,
    '/api/account',
    { method: 'DELETE', json: { currentPassword: 'correct horse', ...json } },
    over,
  );

/** An administrator who has used every feature of the product. */
async function makeBusyPerson() {
  const person = await signInEmbedded();
  await send(person, '/api/me', {});
  await db.update(users).set({ role: 'admin' }).where(eq(users.id, person.id));
  const codes: string[] = [];
  for (const n of [1, 2, 3]) {
    const created = await send(person, '/api/shorten', {
      json: { longUrl: `https://example.com/${n}?mail=${person.email}` },
    });
    expect(created.status).toBe(201);
    codes.push((await created.json<{ code: string }>()).code);
  }
  const [kept = '', gone = ''] = codes;
  await send(person, '/api/views', { json: { name: `of ${person.email}`, filters: { tag: 'x' } } });
  const json = { title: 'Kept', note: `Ask ${person.email}`, tags: [`of ${person.email}`] };
  for (const code of [kept, gone])
    await send(person, `/api/links/${code}`, { method: 'PATCH', json });
  await send(person, `/api/links/${gone}`, { method: 'DELETE' });
  await send(person, '/api/qr-presets', {
    json: { name: `of ${person.email}`.slice(0, 40), style: PLAIN_QR },
  });
  const slug = `by-${person.id.slice(0, 8)}`;
  await send(person, '/api/blogs-admin', {
    json: { title: 'Public', content: 'x', slug, published: true },
  });
  await send(person, '/api/blogs-admin', {
    json: { title: 'Draft', content: `Mine, ${person.email}`, slug: `${slug}-draft` },
  });
  await send(person, '/api/admin', {
    json: { action: 'update_plan', user_id: person.id, plan_type: 'premium' },
  });
  await send(person, '/api/admin/blocklist', {
    json: { hosts: `${person.id.slice(0, 8)}.example.net`, reason: '' },
  });
  const link = await db.select().from(links).where(eq(links.code, kept)).get();
  const report = (
    await db
      .insert(abuse_reports)
      .values({ link_id: link?.id ?? 0, reason: 'spam', created_at: 1 })
      .returning()
  )[0];
  await send(person, '/api/admin/moderation', {
    json: {
      action: 'enable',
      scope: { kind: 'user', userId: person.id },
      reason: `Asked by ${person.email}`,
      reportId: report?.id,
    },
  });
  await db.insert(auth_passkeys).values({
    id: crypto.randomUUID(),
    user_id: person.id,
    credential_id: `credential of ${person.id}`,
    public_key: '{}',
    counter: 0,
    transports: '[]',
    name: 'Laptop',
    created_at: 1,
  });
  await db.insert(link_totals).values({ link_id: link?.id ?? 0, human: 4, visitors: 3 });
  return { person, kept, gone, slug, linkId: link?.id ?? 0 };
}

describe('deleteAccount', () => {
  it('[T34] removes the user from every table and KV, and rejects their tokens', async () => {
    const { person, kept, gone, slug, linkId } = await makeBusyPerson();
    const deletedBefore = await db.select().from(links).where(eq(links.code, gone)).get();
    const traces = new RegExp(`${person.id}|${person.email.replaceAll('.', '\\.')}`, 'i');
    expect((await findInDatabase(traces)).map((place) => place.split(':')[0])).toEqual(
      expect.arrayContaining([
        'users.id',
        'auth_users.email',
        'auth_sessions.user_id',
        'auth_passkeys.user_id',
        'links.user_id',
        'links.target',
        'posts.author_id',
        'subscriptions.user_id',
        'admin_log.admin_id',
        'admin_log.subject',
        'admin_log.reason',
        'blocklist.added_by',
        'abuse_reports.closed_by',
      ]),
    );
    const entries = (await db.select().from(admin_log)).length;

    expect((await remove(person, { confirm: WORDS, links: 'remove' })).status).toBe(200);

    // The notice in the local mailbox represents an email that has left the product.
    expect(
      (await findInDatabase(traces)).filter((place) => !place.startsWith('dev_mails.')),
    ).toEqual([]);
    expect(await findInKv(traces)).toEqual([]);
    for (const path of ['/api/me', '/api/my-urls', '/api/account/export'])
      expect((await send(person, path, {})).status).toBe(401);
    const refresh = await call(
      '/api/auth/v1/token?grant_type=refresh_token',
      { json: { refresh_token: person.refreshToken } },
      EMBEDDED,
    );
    expect(refresh.status).toBe(400);
    const again = await call(
      '/api/auth/v1/token?grant_type=password',
      { json: { email: person.email, password: person.password } },
      EMBEDDED,
    );
    expect(again.status).toBe(400);

    expect(await db.select().from(links).where(eq(links.id, linkId)).get()).toMatchObject({
      status: 'deleted',
      user_id: null,
      target: '',
    });
    expect(decodeEdgeRecord((await env.LINKS.get(kept)) ?? '')).toMatchObject({ s: 'x', u: '' });
    // The edge record of a link that was deleted before is already a tombstone, so the link does
    // not change.
    expect((await db.select().from(links).where(eq(links.code, gone)).get())?.version).toBe(
      deletedBefore?.version,
    );
    expect((await call(`/${kept}`)).status).toBe(410);
    expect(
      await db.select().from(link_totals).where(eq(link_totals.link_id, linkId)).get(),
    ).toMatchObject({ human: 4 });
    expect(await db.select().from(posts).where(eq(posts.slug, slug)).get()).toMatchObject({
      author_id: null,
      published: true,
    });
    const draft = await db
      .select()
      .from(posts)
      .where(like(posts.slug, `%${slug}-draft`));
    expect(draft).toEqual([]);
    expect(await db.select().from(admin_log)).toHaveLength(entries);
    const pseudonyms = new Set(
      (await db.select().from(admin_log))
        .map((entry) => entry.admin_id)
        .filter((id) => id.startsWith('deleted-')),
    );
    expect(pseudonyms.size).toBe(1);
    expect(
      await db
        .select()
        .from(blocklist)
        .where(eq(blocklist.added_by, [...pseudonyms][0] ?? '')),
    ).toHaveLength(1);
  });

  it('its domains no longer lead anywhere, in KV too', async () => {
    const person = await signInEmbedded();
    await send(person, '/api/me', {});
    const host = 'go.deleted.test-host.com';
    await makeDomain(host, { owner: person.id });
    await drainHostOutbox(env, Date.now());
    const record = () => env.LINKS.get(hostKey(env.LINKS_EPOCH, host));
    const before = await record();
    expect((await remove(person, { confirm: WORDS, links: 'remove' })).status).toBe(200);
    expect(before).not.toBeNull();
    expect(await record()).not.toBe(before);
  });

  it('writes a tombstone for a disabled link, too', async () => {
    const person = await makePerson();
    const created = await send(
      person,
      '/api/shorten',
      { json: { longUrl: 'https://example.com/off' } },
      {},
    );
    const { code } = await created.json<{ code: string }>();
    await send(person, `/api/links/${code}`, { method: 'PATCH', json: { enabled: false } }, {});
    expect(decodeEdgeRecord((await env.LINKS.get(code)) ?? '')).toMatchObject({ s: 'd' });
    const reason = { disabled_by: 'admin', disabled_reason: 'Spam.', recheck_at: 9 } as const;
    await db.update(links).set(reason).where(eq(links.code, code));
    expect((await remove(person, { confirm: WORDS, links: 'remove' }, {})).status).toBe(200);
    expect(decodeEdgeRecord((await env.LINKS.get(code)) ?? '')).toMatchObject({ s: 'x', u: '' });
    const after = await db.select().from(links).where(eq(links.code, code)).get();
    expect(after).toMatchObject({ disabled_by: null, disabled_reason: null, recheck_at: null });
  });

  it('[T34] links keep working under a label that does not identify the user', async () => {
    const { person, kept, gone } = await makeBusyPerson();
    const before = await db.select().from(links).where(eq(links.code, kept)).get();
    expect((await remove(person, { confirm: WORDS, links: 'keep' })).status).toBe(200);
    const after = await db.select().from(links).where(eq(links.code, kept)).get();
    const user_id = expect.stringMatching(/^deleted-[0-9a-f-]{36}$/);
    expect(after).toEqual({ ...before, user_id, title: '', note: '', words: '' });
    const active = await db
      .select()
      .from(links)
      .where(eq(links.user_id, after?.user_id ?? ''));
    expect(active.map(({ status }) => status)).toEqual(['active', 'active']);
    expect((await call(`/${kept}`)).status).toBe(302);
    expect(await db.select().from(links).where(eq(links.code, gone)).get()).toMatchObject({
      status: 'deleted',
      user_id: null,
      target: '',
    });
    expect(await findInDatabase(new RegExp(person.id))).toEqual([]);
  });

  it('[T34] rejects a hosted token that is still valid, and inserts no user', async () => {
    const person = await makePerson();
    expect((await remove(person, { confirm: WORDS, links: 'remove' }, {})).status).toBe(200);
    expect((await send(person, '/api/me', {}, {})).status).toBe(401);
    expect(
      (await send(person, '/api/shorten', { json: { longUrl: 'https://example.com' } }, {})).status,
    ).toBe(401);
    expect(await findInDatabase(new RegExp(person.id))).toEqual([]);
  });

  it('removes the owner from rows written during the deletion', async () => {
    const person = await makePerson();
    const other = await makePerson();
    await remove(person, { confirm: WORDS, links: 'keep' }, {});
    for (const { id } of [person, other]) {
      const [code, at] = [`late-${id.slice(0, 8)}`, { created_at: 1, updated_at: 1 }];
      const target = { target: 'https://example.com/', target_host: 'example.com' };
      await db
        .insert(links)
        .values({ code, ...target, user_id: id, title: `noted by ${id}`, ...at });
      await db.run(sql`insert into link_changes (link_id, at, target, status, title, note, code, tags, archived)
        select id, 1, target, status, title, '', code, '[]', archived from ${links} where user_id = ${id}`);
      await db.run(
        sql`insert into link_imports (user_id, row_key, link_id, import_id, line) values (${id}, 'x', 1, 'x', 1)`,
      );
      await db.insert(posts).values({ slug: code, title: 'x', content: 'x', author_id: id, ...at });
    }
    const subscription = {
      user_id: person.id,
      monthly_limit: 25,
      cycle_anchor: 1,
      billing_cycle_start: 1,
      updated_at: 1,
    };
    await db.insert(subscriptions).values(subscription);
    await db
      .insert(qr_presets)
      .values({ user_id: person.id, name: 'x', style: PLAIN_QR, logo: '', created_at: 1 });
    expect(await deleteLeftovers(env, Date.now() + 3 * 86_400_000)).toEqual({});
    expect(await deleteLeftovers(env, Date.now())).toEqual({ done: { rows_disowned: 6 } });
    expect(await findInDatabase(new RegExp(person.id))).toEqual([]);
    expect(await db.select().from(links).where(eq(links.user_id, other.id))).toMatchObject([
      { title: `noted by ${other.id}` },
    ]);
    expect(await db.all(sql`select user_id from link_imports where row_key = 'x'`)).toEqual([
      { user_id: other.id },
    ]);
    // Links under a label have no user either, but keep the label.
    const labelled = sql`select count(*) as n from ${links} where user_id like 'deleted-%'`;
    const before = await db.all(labelled);
    await deleteLeftovers(env, Date.now());
    expect(await db.all(labelled)).toEqual(before);
    expect(before).not.toEqual([{ n: 0 }]);
    expect(await db.select().from(posts).where(eq(posts.author_id, other.id))).toHaveLength(1);
  });

  it('other users keep their data', async () => {
    const other = await makeBusyPerson();
    const mine = new RegExp(`${other.person.id}|${other.person.email}`);
    const before = await findInDatabase(mine);
    const person = await makePerson();
    await remove(person, { confirm: WORDS, links: 'remove' }, {});
    expect(await findInDatabase(mine)).toEqual(before);
    expect((await call(`/${other.kept}`)).status).toBe(302);
  });

  it('returns 409 for the last administrator and changes nothing', async () => {
    await db.update(users).set({ role: 'user' });
    await db.update(users).set({ role: 'admin' }).where(eq(users.id, root.id));
    const before = JSON.stringify([...(await wholeDatabase())]);
    const refused = await remove(root, { confirm: WORDS, links: 'remove' }, {});
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('last administrator'),
    });
    expect(JSON.stringify([...(await wholeDatabase())])).toBe(before);
    const second = await makePerson({ role: 'admin' });
    const both = await Promise.all([
      remove(root, { confirm: WORDS, links: 'remove' }, {}),
      remove(second, { confirm: WORDS, links: 'remove' }, {}),
    ]);
    expect(both.map((response) => response.status).sort((a, b) => a - b)).toEqual([200, 409]);
  });

  it('requires the confirmation and a choice for the links', async () => {
    const person = await makePerson();
    for (const json of [
      {},
      { confirm: WORDS },
      { confirm: 'yes', links: 'keep' },
      { confirm: WORDS, links: 'sell' },
    ])
      expect((await remove(person, json, {})).status).toBe(400);
    expect(
      (await call('/api/account', { method: 'DELETE', json: { confirm: WORDS, links: 'keep' } }))
        .status,
    ).toBe(401);
    expect((await send(person, '/api/me', {}, {})).status).toBe(200);
  });
});

describe('export', () => {
  it('[T34] the export contains the data of the user and of no one else', async () => {
    const { person, kept, gone, slug } = await makeBusyPerson();
    const other = await makeBusyPerson();
    const response = await send(person, '/api/account/export', {});
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="account.json"');
    expect(response.headers.get('Cache-Control')).toContain('no-store');
    const text = await response.clone().text();
    expect(text).not.toContain(other.person.id);
    expect(text).not.toContain(other.kept);
    expect(text).not.toMatch(/"password":|password_|scrypt/);
    const data = await response.json<AccountExport>();
    expect(data.profile).toMatchObject({ id: person.id, email: person.email });
    expect(data.sign_in).toMatchObject({ email: person.email });
    expect(data.subscription).toMatchObject({
      plan_type: 'premium',
      monthly_limit: 1000,
      current_usage: 3,
    });
    expect(data.links.map((link) => [link.short_code, link.status])).toContainEqual([
      gone,
      'deleted',
    ]);
    expect(data.links.find((link) => link.short_code === kept)).toMatchObject({
      status: 'active',
      clicks: { human: 4, visitors: 3 },
      title: 'Kept',
      tags: [`of ${person.email}`],
      history: [{ title: '', long_url: expect.stringContaining('https://example.com/1') }],
    });
    expect(data).toMatchObject({
      views: [{ filters: { tag: 'x' } }],
      tags: [{ name: `of ${person.email}`, color: 'gray' }],
    });
    expect(data.qr_presets).toEqual([
      { name: expect.stringMatching(/^of /), style: PLAIN_QR, logo: '', isDefault: false },
    ]);
    expect(data.posts.map((post) => post.slug)).toEqual([slug, `${slug}-draft`]);
  });

  it('the export contains more links than one query reads', async () => {
    const person = await makePerson();
    await env.DB.prepare(
      `insert into links (code, target, target_host, user_id, created_at, updated_at)
       select 'many' || value, 'https://example.com/', 'example.com', ?2, 1, 1 from json_each(?1)`,
    )
      .bind(JSON.stringify(Array.from({ length: 2001 }, (_, i) => i)), person.id)
      .run();
    const data = await (await send(person, '/api/account/export', {}, {})).json<AccountExport>();
    expect(new Set(data.links.map((link) => link.short_code)).size).toBe(2001);
  });

  it('[T37] returns the links as CSV', async () => {
    const { person, kept } = await makeBusyPerson();
    const response = await send(person, '/api/account/links.csv', {});
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const lines = (await response.text()).split('\r\n');
    const [names = [], values = []] = lines.map((line) => line.slice(1, -1).split('","'));
    expect(names.slice(0, 3)).toEqual(['short_url', 'long_url', 'status']);
    expect(Object.fromEntries(names.map((name, at) => [name, values[at]]))).toEqual({
      short_url: `http://localhost:8787/${kept}`,
      long_url: `https://example.com/1?mail=${person.email}`,
      status: 'active',
      created_at: expect.stringMatching(/^20.*Z$/),
      expires_at: '',
      clicks: '4',
      unique_visitors: '3',
      bots: '0',
      prefetches: '0',
      title: 'Kept',
      note: `Ask ${person.email}`,
      tags: `of ${person.email}`,
      starts_at: '',
      fallback_url: '',
      redirect_status: '302',
      click_limit: '',
      limit_open: 'false',
      limit_used: '0',
      rules: '',
      variants: '',
      has_password: 'false',
      watch: 'off',
      watch_fallback: '',
      archived: 'false',
      favorite: 'false',
      forward_params: '',
      suggest_on_typo: 'false',
      imported_from: '',
      imported_clicks: '',
      domain: '',
      short_code: kept,
      earlier_codes: '',
      external_id: '',
    });
    expect(lines).toHaveLength(5);
  });
});
