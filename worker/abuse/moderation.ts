import { sql, type SQL } from 'drizzle-orm';
import type { ModerationAction } from '#contract/abuse.ts';
import { recordStatement } from '#worker/audit/log.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { abuse_reports, link_holds, links } from '#worker/db/schema.ts';
import { supersedeRecord } from '#worker/links/supersede-record.ts';
import { disableOrphan } from './disable-orphan.ts';
import { liftHolds, placeHold, type Hold } from './holds.ts';
import { normaliseHost } from './hosts.ts';
import { liftSuspension, suspendUser, type SuspensionResult } from './suspension.ts';

export type Moderated =
  | { ok: true; changed: number[]; links: number }
  | { ok: false; reason: 'unknown_link' | 'bad_host'; message: string }
  | Extract<SuspensionResult, { ok: false }>;
/** What moderation needs of the deployment: the secret that keys addresses, and the edge store for links that D1 has lost. */
type Deployment = { secret: string; edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'> };
type Scope = { kind: 'link' | 'host'; value: string; subject: string; where: SQL };

/**
 * Disables or enables a link or all links to a host and its subdomains; suspends a user or lifts that. Enabling lifts only what
 * disabling the same scope had done: a link that is held for another reason stays disabled. The log entry and the report's
 * end stand in the first batch. Returns the ids of the links whose state changed (publish them), and
 * how many work now or stopped working.
 */
export async function moderate(
  db: Db,
  adminId: string,
  action: ModerationAction,
  now: number,
  { secret, edge }: Deployment,
): Promise<Moderated> {
  if (action.scope.kind === 'user') return moderateUser(db, adminId, action, action.scope.user_id, secret, now);
  const scope = await scopeOf(db, action.scope);
  if ('ok' in scope) {
    const id = scope.reason === 'unknown_link' ? await disableOrphan(db, edge, adminId, action, now) : null;
    return id === null ? scope : { ok: true, changed: [id], links: 1 };
  }
  const holds = heldBy(scope);
  const count =
    action.action === 'disable'
      ? sql`select count(*) from ${links} where (${scope.where}) and status <> 'deleted'`
      : sql`select count(distinct link_id) from ${link_holds} where ${holds}`;
  const alongside: Statement[] = [
    recordStatement(db, {
      at: now,
      adminId,
      action: `${action.action}_links`,
      subject: scope.subject,
      after: sql`json_object('links', (${count}))`,
      reason: action.reason,
    }),
  ];
  if (action.reportId !== undefined) alongside.push(closeReports(adminId, action.reportId, now));
  if (action.action === 'enable') {
    const changed = await liftHolds(db, holds, now, alongside);
    return { ok: true, changed, links: await countActive(db, changed) };
  }
  const overtaken = action.scope.kind === 'link' ? await supersedeRecord(db, edge, action.scope.code, now) : null;
  if (overtaken !== null) alongside.push(...overtaken.statements);
  const hold: Hold = { kind: scope.kind, value: scope.value, reason: action.reason };
  const held = await placeHold(db, hold, scope.where, now, alongside);
  const changed = overtaken === null ? held : [...new Set([...held, overtaken.id])];
  return { ok: true, changed, links: changed.length };
}

async function moderateUser(
  db: Db,
  adminId: string,
  { action, reason, reportId }: ModerationAction,
  userId: string,
  secret: string,
  now: number,
): Promise<Moderated> {
  const alongside = (when: SQL) => (reportId === undefined ? [] : [closeReports(adminId, reportId, now, when)]);
  const input = { adminId, userId, reason, secret, now, alongside };
  const done = action === 'disable' ? await suspendUser(db, input) : await liftSuspension(db, input);
  if (!done.ok) return done;
  const count = action === 'disable' ? done.changed.length : await countActive(db, done.changed);
  return { ok: true, changed: done.changed, links: count };
}

async function countActive(db: Db, ids: number[]): Promise<number> {
  const among = sql`id in (select value from json_each(${JSON.stringify(ids)}))`;
  const [active] = await db.all<{ n: number }>(sql`select count(*) as n from ${links} where ${among} and status = 'active'`);
  return active?.n ?? 0;
}

type LinkScope = Exclude<ModerationAction['scope'], { kind: 'user' }>;

async function scopeOf(db: Db, scope: LinkScope): Promise<Scope | Extract<Moderated, { ok: false }>> {
  switch (scope.kind) {
    case 'link': {
      const where = sql`${links}.host = '' and ${links}.code = ${scope.code}`;
      const known = await db.all(sql`select 1 from ${links} where ${where} and status <> 'deleted'`);
      if (known.length === 0) return { ok: false, reason: 'unknown_link', message: 'There is no such link.' };
      return { kind: 'link', value: '', subject: `link:${scope.code}`, where };
    }
    case 'host': {
      const check = normaliseHost(scope.host);
      if (!check.ok) return { ok: false, reason: 'bad_host', message: check.why };
      const { host } = check;
      const where = sql`${links}.target_host = ${host} or substr(${links}.target_host, ${-(host.length + 1)}) = ${`.${host}`}`;
      return { kind: 'host', value: host, subject: `host:${host}`, where };
    }
  }
}

/** The holds that enabling a scope lifts. Enabling one link also overrules a bad reputation: there is no other way to. */
function heldBy(scope: Scope): SQL {
  if (scope.kind === 'host') return sql`kind = 'host' and value = ${scope.value}`;
  return sql`kind in ('link', 'reputation') and link_id in (select id from ${links} where ${scope.where})`;
}

/** Closes the report that is answered, and with it the other open ones about the same link. */
function closeReports(adminId: string, reportId: number, now: number, when: SQL = sql`1`): Statement {
  return sql`update ${abuse_reports} set status = 'acted', closed_at = ${now}, closed_by = ${adminId}
    where status = 'open' and ${when} and link_id = (select link_id from ${abuse_reports} where id = ${reportId})`;
}
