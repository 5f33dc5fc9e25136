import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { admin_log, link_holds } from '#worker/db/schema-moderation.ts';
import { users } from '#worker/db/schema-users.ts';
import { idOfCode, parseCodes } from '#worker/edge/earlier-codes.ts';

/** An entry of the audit log about a decision that members are told of. `at` in ms. */
export type Decision = {
  id: number;
  at: number;
  action: 'update_plan' | 'disable_links' | 'suspend_user' | 'lift_suspension';
  subject: string;
};

/** A member's links that one decision has disabled, the first few by their codes. */
export type DisabledLinks = { email: string; reason: string; count: number; codes: string[] };

const isDecision = sql`action in ('update_plan', 'disable_links', 'suspend_user', 'lift_suspension')`;
/** The codes that one email lists. */
const CODES_MAX = 10;
/** The owners who are told about one decision. A host with more of them is one for the public. */
const OWNERS_MAX = 500;

/** The first decision after entry `after` that is not younger than `until` (ms). */
export const nextDecision = (db: Db, after: number, until: number): Promise<Decision | undefined> =>
  db.get<Decision | undefined>(sql`select id, at, action, subject from ${admin_log}
    where id > ${after} and at <= ${until} and ${isDecision} order by id limit 1`);

/** True in SQL if there are decisions after entry `after`, an SQL value. */
export const hasDecisionsAfter = (after: ReturnType<typeof sql>) =>
  sql`exists (select 1 from ${admin_log} where id > ${after} and ${isDecision})`;

export async function newestEntry(db: Db): Promise<number> {
  const row = await db.get<{ id: number | null }>(sql`select max(id) as id from ${admin_log}`);
  return row.id ?? 0;
}

/**
 * The plan that a change led to; null if a later change followed it, or if it restored the plan of
 * less than `undoMs` before.
 */
export async function changedPlan(
  db: Db,
  { id, at, subject }: Decision,
  undoMs: number,
): Promise<'free' | 'premium' | null> {
  const entries = await db.all<{ id: number; was: string | null; is: 'free' | 'premium' }>(sql`
    select id, before ->> 'plan_type' as was, after ->> 'plan_type' as "is" from ${admin_log}
    where subject = ${subject} and action = 'update_plan' and at > ${at - undoMs} order by id`);
  const last = entries.at(-1);
  if (last === undefined || last.id !== id) return null;
  return entries[0]?.was === last.is ? null : last.is;
}

/** The address of a user, and the reason while they are suspended. */
export const readMember = (
  db: Db,
  id: string,
): Promise<{ email: string; suspension: string | null } | undefined> =>
  db.get(sql`select email, iif(suspended_at is null, null, coalesce(suspended_reason, '')) as suspension
    from ${users} where id = ${id}`);

/**
 * The links that are disabled by this decision about a code or a host, by owner. Leaves out
 * suspended owners, who are told about their suspension.
 */
export async function findDisabledLinks(db: Db, decision: Decision): Promise<DisabledLinks[]> {
  const { at, subject } = decision;
  const [kind, value] = splitSubject(subject);
  const held =
    kind === 'link'
      ? sql`h.link_id = ${idOfCode(value)} and h.kind = 'link'`
      : sql`h.kind = 'host' and h.value = ${value}`;
  const rows = await db.all<Omit<DisabledLinks, 'codes'> & { codes: string }>(sql`
    select u.email, max(h.reason) as reason, count(*) as count, json_group_array(l.code) as codes
    from ${link_holds} h join ${links} l on l.id = h.link_id join ${users} u on u.id = l.user_id
    where ${held} and h.created_at = ${at} and l.status = 'disabled'
      and u.suspended_at is null and u.email <> ''
    group by u.id limit ${OWNERS_MAX}`);
  return rows.map(({ email, reason, count, codes }) => ({
    email,
    reason,
    count,
    codes: parseCodes(codes).slice(0, CODES_MAX),
  }));
}

/** 'host:hop.example' → ['host', 'hop.example'] */
export function splitSubject(subject: string): [kind: string, value: string] {
  const end = subject.indexOf(':');
  return [subject.slice(0, end), subject.slice(end + 1)];
}
