import { sql, type SQL } from 'drizzle-orm';
import type { ModerationAction } from '#contract/abuse.ts';
import { recordStatement } from '#worker/admin/log.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { abuse_reports, link_holds, links } from '#worker/db/schema.ts';
import { disableOrphan } from './disable-orphan.ts';
import { liftHolds, placeHold, type Hold } from './holds.ts';
import { normaliseHost } from './hosts.ts';

export type Moderated =
  | { ok: true; changed: number[]; links: number }
  | { ok: false; reason: 'unknown_link' | 'bad_host'; message: string };
type Scope = { kind: 'link' | 'host' | 'user'; value: string; subject: string; where: SQL };

/**
 * Disables or enables a link, all links to a host and its subdomains, or all links of a user. Enabling lifts only what
 * disabling the same scope had done: a link that is held for another reason stays disabled. The log entry and the report's
 * end stand in the first batch. Returns the ids of the links whose state changed (publish them), and
 * how many work now or stopped working.
 */
export async function moderate(
  db: Db,
  adminId: string,
  action: ModerationAction,
  now: number,
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
): Promise<Moderated> {
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
    const among = sql`id in (select value from json_each(${JSON.stringify(changed)}))`;
    const [active] = await db.all<{ n: number }>(sql`select count(*) as n from ${links} where ${among} and status = 'active'`);
    return { ok: true, changed, links: active?.n ?? 0 };
  }
  const hold: Hold = { kind: scope.kind, value: scope.value, reason: action.reason };
  const changed = await placeHold(db, hold, scope.where, now, alongside);
  return { ok: true, changed, links: changed.length };
}

async function scopeOf(db: Db, scope: ModerationAction['scope']): Promise<Scope | Extract<Moderated, { ok: false }>> {
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
    case 'user':
      return { kind: 'user', value: '', subject: `user:${scope.user_id}`, where: sql`${links}.user_id = ${scope.user_id}` };
  }
}

/** The holds that enabling a scope lifts. Enabling one link also overrules a bad reputation: there is no other way to. */
function heldBy(scope: Scope): SQL {
  if (scope.kind === 'host') return sql`kind = 'host' and value = ${scope.value}`;
  const kinds = scope.kind === 'link' ? sql`kind in ('link', 'reputation')` : sql`kind = 'user'`;
  return sql`${kinds} and link_id in (select id from ${links} where ${scope.where})`;
}

/** Closes the report that is answered, and with it the other open ones about the same link. */
function closeReports(adminId: string, reportId: number, now: number): Statement {
  return sql`update ${abuse_reports} set status = 'acted', closed_at = ${now}, closed_by = ${adminId}
    where status = 'open' and link_id = (select link_id from ${abuse_reports} where id = ${reportId})`;
}
