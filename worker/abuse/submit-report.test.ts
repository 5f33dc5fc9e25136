import { env } from 'cloudflare:test';
import { desc } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReportRequest } from '#contract/moderation/abuse.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { counters } from '#worker/db/schema-system.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { storeLink } from '#worker/testing/stored-links.ts';
import { findReport, listReports } from './reports.ts';
import { submitReport } from './submit-report.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;

let code = '';
let id = 0;
beforeEach(async () => {
  await db.delete(abuse_reports);
  await db.delete(counters);
  ({ code, id } = await storeLink());
});

const send = (
  from: string | { network: string; site: string },
  over: { reason?: ReportRequest['reason']; details?: string; now?: number } = {},
) => {
  const { reason = 'phishing', details = '', now = NOW } = over;
  const networks = typeof from === 'string' ? { network: from, site: '' } : from;
  return submitReport(db, {
    report: { code, reason, details },
    networks,
    secret: 'secret',
    edge: env,
    now,
  });
};
const stored = () => db.select().from(abuse_reports).orderBy(abuse_reports.id);
const lead = (target: string, host: string) =>
  env.DB.prepare('UPDATE links SET target = ?1, target_host = ?2 WHERE id = ?3')
    .bind(target, host, id)
    .run();

describe('submitReport', () => {
  it('[T51] stores an honest report after 50 from three networks, and counts those', async () => {
    for (let at = 0; at < 50; at += 1)
      expect(await send(`192.0.2.${at % 3}`, { details: 'junk' })).toBe(true);
    expect(await send('198.51.100.1', { details: 'It asks for my password.' })).toBe(true);
    const reports = await stored();
    expect(reports.map(({ details }) => details)).toEqual([
      'junk',
      'junk',
      'junk',
      'It asks for my password.',
    ]);
    expect(reports.reduce((sum, { not_stored }) => sum + not_stored, 0)).toBe(47);
    const page = await listReports(db, { status: 'open', q: '', cursor: '' });
    expect(page.reports[0]).toMatchObject({
      details: 'It asks for my password.',
      openReports: 4,
      notStored: 47,
    });
    expect(await findReport(db, reports[0]?.id ?? 0)).toMatchObject({ notStored: 47 });
  });

  it('[T51] stores ten reports alike, and counts every other one', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, at) => send(`192.0.2.${at}`)));
    const reports = await stored();
    expect(reports).toHaveLength(10);
    expect(reports.map(({ not_stored }) => not_stored)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 20]);
    expect(await send('192.0.2.200', { reason: 'malware' })).toBe(true);
    expect(await stored()).toHaveLength(11);
    // The reports of a network for another reason do not count.
    await send('192.0.2.1', { reason: 'malware' });
    expect(await stored()).toHaveLength(12);
  });

  it('[T51] stores reports about another destination, however many came before', async () => {
    for (let at = 0; at < 12; at += 1) await send(`192.0.2.${at}`);
    await lead('https://evil.example/login', 'evil.example');
    await send('192.0.2.1', { details: 'Look now.' });
    const reports = await stored();
    expect(reports).toHaveLength(11);
    expect(reports.at(-1)).toMatchObject({
      details: 'Look now.',
      target: 'https://evil.example/login',
      target_host: 'evil.example',
    });
  });

  it('[T51] stores a report again after the one like it was closed, and on another day', async () => {
    await send('192.0.2.1');
    await send('192.0.2.1', { now: NOW + DAY_MS });
    expect(await stored()).toHaveLength(2);
    await db.update(abuse_reports).set({ status: 'dismissed', not_stored: 5 });
    await send('192.0.2.1');
    const counted = async (status: 'open' | 'dismissed') =>
      (await listReports(db, { status, q: '', cursor: '' })).reports.map((one) => one.notStored);
    expect([await counted('open'), await counted('dismissed')]).toEqual([[0], [10, 10]]);
    expect(
      (await db.select().from(abuse_reports).orderBy(desc(abuse_reports.id)))[0],
    ).toMatchObject({
      status: 'open',
      not_stored: 0,
    });
  });

  it('[T51] stores at most three reports alike from one IPv6 /48', async () => {
    for (let at = 0; at < 9; at += 1)
      await send({ network: `2001:db8:1:${at}`, site: '2001:db8:1' });
    expect(await stored()).toHaveLength(3);
    await send({ network: '2001:db8:2:1', site: '2001:db8:2' });
    expect(await stored()).toHaveLength(4);
  });

  it('[T51] the counters of reports keep no address and no link', async () => {
    await send('192.0.2.1');
    expect(JSON.stringify(await db.select().from(counters))).not.toMatch(/192\.0\.2|phishing/);
  });
});

describe('the link that a report is about', () => {
  it('a report names it by a short URL on any host, or by its key', async () => {
    const domain = await makeDomain('go.reported.test-host.com');
    const key = `${domain}/${code}`;
    await env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2').bind(key, id).run();
    const other = await storeLink();
    await env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2').bind(code, other.id).run();
    const own = code;
    let sender = 0;
    for (code of [
      key,
      `https://go.reported.test-host.com/${own}`,
      `GO.reported.test-host.com:443/${own}+`,
      `https://go.reported.test-host.com./${own}`,
      `hop.example/${own}`,
      `/${own}`,
    ])
      await send(`192.0.2.${++sender}`);
    expect((await stored()).map(({ link_id }) => link_id)).toEqual([
      id,
      id,
      id,
      id,
      other.id,
      other.id,
    ]);
  });

  it('the name of a domain without a host leads to the newest domain of that name', async () => {
    const name = 'go.lost.test-host.com';
    const before = await makeDomain(name, { owner: 'ann' });
    await env.DB.prepare('DELETE FROM domain_hosts').run();
    const newest = await makeDomain(name, { owner: 'bob', created_at: 2 });
    await env.DB.prepare('DELETE FROM domain_hosts').run();
    await env.DB.prepare("UPDATE domains SET status = 'deleted'").run();
    const other = await storeLink();
    for (const [domain, link] of [
      [before, other.id],
      [newest, id],
    ] as const)
      await env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2')
        .bind(`${domain}/lost`, link)
        .run();
    code = `https://${name}/lost`;
    await send('192.0.2.1');
    expect((await stored()).map(({ link_id }) => link_id)).toEqual([id]);
  });
});
