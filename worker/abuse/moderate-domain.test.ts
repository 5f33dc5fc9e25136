import { env } from 'cloudflare:test';
import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import type { AdminUrlsResponse } from '#contract/moderation/admin.ts';
import { openDb } from '#worker/db/client.ts';
import { domains } from '#worker/db/schema-domains.ts';
import { abuse_reports, admin_log } from '#worker/db/schema-moderation.ts';
import { drainHostOutbox } from '#worker/edge/publish-hosts.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

const db = openDb(env.DB);
const REASON = 'It imitates a bank.';
let admin: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
});

const moderate = async (action: 'disable' | 'enable', host: string, more: object = {}) => {
  const json = { action, scope: { kind: 'domain', host }, reason: REASON, ...more };
  const response = await call('/api/admin/moderation', { json, headers: admin.headers });
  return { status: response.status, body: await response.json() };
};
const read = (id: string) => db.select().from(domains).where(eq(domains.id, id)).get();
const log = () => db.select().from(admin_log).orderBy(desc(admin_log.id)).limit(1).get();

const SETTINGS = {
  APP_ORIGIN: 'https://hop.example',
  SHORT_ORIGIN: 'https://h.example',
  CF_SAAS_ZONE_ID: 'zone',
};
const visit = (host: string): Promise<Response> =>
  call(`https://${host}/sale`, { redirect: 'manual' }, SETTINGS);

async function addLink(domain: string): Promise<number> {
  const { id } = await storeLink();
  await env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2').bind(`${domain}/sale`, id).run();
  await publishLinks(env, [id], Date.now());
  return id;
}

it('[T74] suspends the domain of a host with its reason, and restores it', async () => {
  const owner = await makePerson();
  const domain = await makeDomain('go.bank.test-host.com', { owner: owner.id });
  const link = await addLink(domain);
  // Neither is a link that stops working.
  for (const status of ['disabled', 'deleted'])
    await env.DB.prepare('UPDATE links SET code = ?1, status = ?2 WHERE id = ?3')
      .bind(`${domain}/${status}`, status, (await storeLink()).id)
      .run();
  await call('/api/reports', {
    json: { code: 'https://go.bank.test-host.com/sale', reason: 'phishing' },
  });
  const report = await db.select().from(abuse_reports).where(eq(abuse_reports.link_id, link)).get();
  expect(await moderate('disable', 'GO.bank.test-host.com.', { reportId: report?.id })).toEqual({
    status: 200,
    body: { success: true, links: 1 },
  });
  const suspended = await read(domain);
  expect(suspended).toMatchObject({ status: 'suspended', suspended_reason: REASON });
  expect((await visit('go.bank.test-host.com')).status).toBe(410);
  expect(await log()).toMatchObject({
    action: 'suspend_domain',
    subject: 'domain:go.bank.test-host.com',
    after: '{"links":1}',
    reason: REASON,
  });
  const closed = await db.select().from(abuse_reports).where(eq(abuse_reports.link_id, link)).get();
  expect(closed?.status).toBe('acted');
  const list = await call('/api/admin?action=urls', { headers: admin.headers });
  expect((await list.json<AdminUrlsResponse>()).urls[0]?.domain).toEqual({
    host: 'go.bank.test-host.com',
    isShared: false,
    isSuspended: true,
  });
  const [second] = await db
    .insert(abuse_reports)
    .values({ link_id: link, reason: 'spam', created_at: 1 })
    .returning();
  await moderate('disable', 'go.bank.test-host.com', { reportId: second?.id });
  expect((await read(domain))?.version).toBe(suspended?.version);
  const open = and(eq(abuse_reports.link_id, link), eq(abuse_reports.status, 'open'));
  expect(await db.$count(abuse_reports, open)).toBe(0);
  await moderate('enable', 'go.bank.test-host.com');
  expect(await read(domain)).toMatchObject({ status: 'active', suspended_reason: null });
  expect((await visit('go.bank.test-host.com')).status).toBe(302);
});

it('[T74] no link can be created on a suspended domain', async () => {
  const owner = await makePerson();
  await makeDomain('go.closed.test-host.com', { owner: owner.id });
  const shorten = () =>
    call('/api/shorten', {
      json: { longUrl: 'https://example.com/', domain: 'go.closed.test-host.com' },
      headers: owner.headers,
    });
  expect((await shorten()).status).toBe(201);
  await moderate('disable', 'go.closed.test-host.com');
  expect(await (await shorten()).json()).toMatchObject({ field: 'domain' });
});

it('suspends neither a host of the operator nor one that it does not know', async () => {
  const domain = await makeDomain('go.shared.test-host.com');
  const { id: link_id } = await storeLink();
  const values = { link_id, reason: 'phishing', created_at: 1 } as const;
  const [report] = await db.insert(abuse_reports).values(values).returning();
  const more = { reportId: report?.id };
  expect((await moderate('disable', 'go.shared.test-host.com', more)).status).toBe(409);
  expect((await read(domain))?.status).toBe('active');
  expect(await db.select().from(abuse_reports).where(eq(abuse_reports.link_id, link_id))).toEqual([
    report,
  ]);
  expect((await moderate('disable', 'go.nobody.test-host.com')).status).toBe(404);
  expect((await log())?.subject).not.toBe('domain:go.nobody.test-host.com');
});

it('[T74] all of a suspended member’s hosts answer 410, until the suspension is lifted', async () => {
  const owner = await makePerson();
  const host = 'go.member.test-host.com';
  await addLink(await makeDomain(host, { owner: owner.id }));
  const moderateOwner = async (action: string): Promise<number> => {
    const json = { action, scope: { kind: 'user', userId: owner.id }, reason: REASON };
    await call('/api/admin/moderation', { json, headers: admin.headers });
    await drainHostOutbox(env, Date.now());
    return (await call(`https://${host}/`, {}, SETTINGS)).status;
  };
  expect((await visit(host)).status).toBe(302);
  expect(await moderateOwner('disable')).toBe(410);
  expect(await moderateOwner('enable')).toBe(200);
});

it('[T74] a name that is suspended beyond its account can be given free', async () => {
  const owner = await makePerson();
  const host = 'go.left.test-host.com';
  const domain = await makeDomain(host, { owner: owner.id });
  await moderate('disable', host);
  const json = { confirm: 'delete my account', links: 'remove' };
  await call('/api/account', { method: 'DELETE', json, headers: owner.headers });
  expect(await read(domain)).toMatchObject({ owner_id: 'deleted', status: 'suspended' });
  expect((await moderate('enable', host)).status).toBe(200);
  expect((await read(domain))?.status).toBe('deleted');
  expect(await log()).toMatchObject({ action: 'restore_domain', subject: `domain:${host}` });
  expect((await moderate('enable', host)).status).toBe(404);
});
