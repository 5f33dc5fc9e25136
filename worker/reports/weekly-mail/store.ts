import { and, eq, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { auth_users } from '#worker/db/schema-auth.ts';
import { weekly_mails } from '#worker/db/schema-accounts.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { users } from '#worker/db/schema-users.ts';

/** Subscribes a member. The first mail follows next Monday. A second call changes nothing. */
export async function subscribe(
  db: Db,
  userId: string,
  monday: number,
  now: number,
): Promise<void> {
  await db
    .insert(weekly_mails)
    .values({ user_id: userId, since: now, sent_week: monday })
    .onConflictDoNothing();
}

export async function unsubscribe(db: Db, userId: string): Promise<void> {
  await db.delete(weekly_mails).where(eq(weekly_mails.user_id, userId));
}

export async function isSubscribed(db: Db, userId: string): Promise<boolean> {
  return (
    (await db.select().from(weekly_mails).where(eq(weekly_mails.user_id, userId)).get()) !==
    undefined
  );
}

/** True if the embedded sign-in has confirmed that the member owns the mailbox. */
export async function isMailboxProven(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .select({ at: auth_users.proven_at })
    .from(auth_users)
    .where(eq(auth_users.id, userId))
    .get();
  return row !== undefined && row.at !== null;
}

export type WeeklyMailRecipient = { user_id: string; email: string };

/**
 * Members who have not received this week's mail. Suspended members are left out, and with the
 * embedded sign-in those whose mailbox is not confirmed.
 */
export function findDue(
  db: Db,
  monday: number,
  isEmbedded: boolean,
  limit: number,
): Promise<WeeklyMailRecipient[]> {
  const isProven = isEmbedded
    ? sql`exists (select 1 from ${auth_users} a where a.id = u.id and a.email = u.email and a.proven_at is not null)`
    : sql`1`;
  return db.all<WeeklyMailRecipient>(sql`select w.user_id, u.email from ${weekly_mails} w cross join ${users} u on u.id = w.user_id
    where w.sent_week < ${monday} and u.suspended_at is null and u.email <> '' and ${isProven} order by w.sent_week limit ${limit}`);
}

/** Claims the mail of this week. Only one of several runs gets true; it must send the mail. */
export async function claimWeek(db: Db, userId: string, monday: number): Promise<boolean> {
  const claimed = await db
    .update(weekly_mails)
    .set({ sent_week: monday })
    .where(and(eq(weekly_mails.user_id, userId), sql`${weekly_mails.sent_week} < ${monday}`))
    .returning({ id: weekly_mails.user_id });
  return claimed.length > 0;
}

export type StoppedLink = {
  code: string;
  target: string;
  reason: 'ended' | 'owner' | 'moderation';
};

/**
 * Links that stopped redirecting in the week before `monday`, because they ended or were disabled.
 * Other changes also move `updated_at`, so the history tells when the owner disabled a link, and the
 * holds tell when moderation did. Links that were imported as stopped are left out.
 */
export async function findStopped(
  db: Db,
  userId: string,
  monday: number,
  limit: number,
): Promise<StoppedLink[]> {
  const [from, to] = [(monday - 7) * DAY_MS, monday * DAY_MS];
  const disabledAt = sql`iif(disabled_by = 'owner',
    (select max(before.at) from ${link_changes} as before where before.link_id = ${links}.id and ${isActive('before')}),
    coalesce((select min(created_at) from ${link_holds} where link_id = ${links}.id and kind <> 'owner'), updated_at))`;
  return db.all<StoppedLink>(sql`select code, target, reason from (
      select code, target, 'ended' as reason, expires_at as at from ${links}
        where user_id = ${userId} and archived in (0, 1) and expires_at >= ${from} and expires_at < ${to}
        and expires_at is not null and ${isActive()} and coalesce(imported_at, 0) < expires_at
      union all
      select code, target, iif(disabled_by = 'owner', 'owner', 'moderation'), ${disabledAt} from ${links}
        where user_id = ${userId} and archived in (0, 1) and status = 'disabled' and updated_at >= ${from})
    where at >= ${from} and at < ${to} order by at desc limit ${limit}`);
}
