import type { HostReason } from '#worker/messages/api-errors.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { ModerationAction } from '#contract/moderation/abuse.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { jsonList, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { abuse_reports, link_holds } from '#worker/db/schema-moderation.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';
import { supersedeRecord } from '#worker/edge/supersede-record.ts';
import { disableOrphan } from './disable-orphan.ts';
import { liftHolds, placeHold } from './holds.ts';
import { normalizeHost } from '#worker/safety/host-list.ts';
import { moderateDomain, type Closing, type DomainModeration } from './moderate-domain.ts';
import {
  liftSuspension,
  suspendUser,
  type SuspensionChange,
  type SuspensionResult,
} from './suspension.ts';

/**
 * `changed` are the ids of the links whose state changed, `hosts` those of a domain whose state
 * changed. The caller publishes them. `links` is how many work again or stopped working.
 */
export type ModerationResult =
  | { ok: true; changed: number[]; hosts?: string[]; links: number }
  | { ok: false; reason: 'unknown_link' | HostReason }
  | Extract<DomainModeration | SuspensionResult, { ok: false }>;
/** `secret` keys the hashes of email addresses; `edge` stores links that D1 has lost. */
type Deployment = { secret: string; edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'> };
type LinkScope = Extract<ModerationAction['scope'], { kind: 'link' | 'host' }>;
type Scope = { kind: 'link' | 'host'; value: string; subject: string; where: SQL };

/**
 * Disables or enables a link, or all links to a host and its subdomains; suspends a domain or a
 * user, or lifts the suspension. Enabling a scope lifts only the holds that disabling the same scope
 * placed: a link with another hold stays disabled. The audit entry and the closing of the report are
 * in the first batch.
 */
export async function moderate(
  db: Db,
  adminId: string,
  action: ModerationAction,
  now: number,
  { secret, edge }: Deployment,
): Promise<ModerationResult> {
  const { reportId } = action;
  const closing = (when: SQL) =>
    reportId === undefined ? [] : [closeReports(adminId, reportId, now, when)];
  if (action.scope.kind === 'user')
    return moderateUser(db, { adminId, userId: action.scope.userId, secret, now, closing }, action);
  if (action.scope.kind === 'domain') {
    const { host } = action.scope;
    const result = await moderateDomain(db, { ...action, adminId, host, now, closing });
    return result.ok ? { ok: true, changed: [], hosts: result.hosts, links: result.links } : result;
  }
  const scope = await findScope(db, action.scope);
  if ('ok' in scope) {
    const id =
      scope.reason === 'unknown_link' ? await disableOrphan(db, edge, adminId, action, now) : null;
    return id === null ? scope : { ok: true, changed: [id], links: 1 };
  }
  const holds = holdsOfScope(scope);
  const count =
    action.action === 'disable'
      ? sql`select count(*) from ${links} where (${scope.where}) and status <> 'deleted'`
      : sql`select count(distinct link_id) from ${link_holds} where ${holds}`;
  const alongside: Statement[] = [
    recordAction({
      at: now,
      adminId,
      action: `${action.action}_links`,
      subject: scope.subject,
      after: sql`json_object('links', (${count}))`,
      reason: action.reason,
    }),
  ];
  alongside.push(...closing(sql`1`));
  if (action.action === 'enable') {
    const changed = await liftHolds(db, holds, now, alongside);
    return { ok: true, changed, links: await countActive(db, changed) };
  }
  const superseded =
    action.scope.kind === 'link' ? await supersedeRecord(db, edge, action.scope.code, now) : null;
  if (superseded !== null) alongside.push(...superseded.statements);
  const hold = { kind: scope.kind, value: scope.value, reason: action.reason };
  const held = await placeHold(db, { hold, where: scope.where, now, alongside });
  const changed = superseded === null ? held : [...new Set([...held, superseded.id])];
  return { ok: true, changed, links: changed.length };
}

async function moderateUser(
  db: Db,
  { closing, ...target }: Omit<SuspensionChange, 'reason' | 'alongside'> & { closing: Closing },
  { action, reason }: ModerationAction,
): Promise<ModerationResult> {
  const change = { ...target, reason, alongside: closing };
  const result =
    action === 'disable' ? await suspendUser(db, change) : await liftSuspension(db, change);
  if (!result.ok) return result;
  const { changed } = result;
  return {
    ok: true,
    changed,
    links: action === 'disable' ? changed.length : await countActive(db, changed),
  };
}

async function countActive(db: Db, ids: number[]): Promise<number> {
  const among = sql`id in ${jsonList(ids)}`;
  const row = await db.get<{ n: number }>(
    sql`select count(*) as n from ${links} where ${among} and ${isActive()}`,
  );
  return row.n;
}

async function findScope(
  db: Db,
  scope: LinkScope,
): Promise<Scope | Extract<ModerationResult, { ok: false }>> {
  switch (scope.kind) {
    case 'link': {
      const where = sql`${links}.id = ${idOfCode(scope.code)}`;
      const existing = await db.all(
        sql`select 1 from ${links} where ${where} and status <> 'deleted'`,
      );
      if (existing.length === 0) return { ok: false, reason: 'unknown_link' };
      return { kind: 'link', value: '', subject: `link:${scope.code}`, where };
    }
    case 'host': {
      const check = normalizeHost(scope.host);
      if (!check.ok) return check;
      const { host } = check;
      const isAt = (column: SQL): SQL =>
        sql`${column} = ${host} or substr(${column}, ${-(host.length + 1)}) = ${`.${host}`}`;
      const where = sql`${isAt(sql`${links}.target_host`)} or ${links}.id in (
        select link_id from ${link_destinations} where ${isAt(sql`host`)})`;
      return { kind: 'host', value: host, subject: `host:${host}`, where };
    }
  }
}

/**
 * The holds that enabling a scope lifts. Enabling a link also lifts a reputation hold, which
 * nothing else can lift.
 */
function holdsOfScope(scope: Scope): SQL {
  if (scope.kind === 'host') return sql`kind = 'host' and value = ${scope.value}`;
  return sql`kind in ('link', 'reputation') and link_id in (select id from ${links} where ${scope.where})`;
}

/** Closes the report that the action answers and every other open report about the same link. */
function closeReports(adminId: string, reportId: number, now: number, when: SQL): Statement {
  return sql`update ${abuse_reports} set status = 'acted', closed_at = ${now}, closed_by = ${adminId}
    where status = 'open' and ${when} and link_id = (select link_id from ${abuse_reports} where id = ${reportId})`;
}
