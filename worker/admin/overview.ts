import type {
  AdminLink,
  AdminStats,
  AdminUrlsResponse,
  AdminUsersResponse,
} from '#contract/moderation/admin.ts';
import { PLANS } from '#contract/site.ts';
import { parseLinkDomain } from '#worker/domains/link-domain.ts';
import { parseHolds } from '#worker/edge/link-holds.ts';
import { readLastVerification } from '#worker/clicks/maintenance/verify-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { idFromCursor, paginate } from '#worker/db/paginate.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import {
  readLinkPage,
  readTotals,
  readUsers,
  type LinkFilter,
  type UserCursor,
  type UserFilter,
} from './store.ts';

type LinkRow = Awaited<ReturnType<typeof readLinkPage>>['rows'][number];

export async function readAdminStats(db: Db, now: number): Promise<AdminStats> {
  const totals = await readTotals(db, now);
  return {
    total_users: totals.users,
    premium_users: totals.premium,
    free_users: totals.users - totals.premium,
    total_urls: totals.links,
    new_users: totals.newUsers,
    new_urls: totals.newLinks,
    new_reports: totals.newReports,
    open_reports: totals.openReports,
    recent_urls: totals.recent.map(({ code, domain, target, clicks, created_at }) => ({
      short_code: code,
      domain: parseLinkDomain(domain),
      long_url: target,
      click_count: clicks,
      created_at: new Date(created_at).toISOString(),
    })),
    click_proof: await readLastVerification(db),
  };
}

/**
 * GET /api/admin?action=users: one page. A user without a subscription is on the free plan with no
 * links used.
 */
export async function listAdminUsers(
  db: Db,
  filter: UserFilter,
  cursor: string,
  now: number,
): Promise<AdminUsersResponse> {
  const found = await readUsers(db, filter, parseUserCursor(cursor), now);
  const unread = found.unread === null ? null : userCursor(found.unread.createdAt, found.unread.id);
  const { rows, nextCursor } = paginate(
    found.rows,
    (row) => userCursor(row.created_at, row.id),
    unread,
  );
  return {
    users: rows.map((row) => {
      const plan = row.subscription === null ? null : subscriptionAt(row.subscription, now);
      return {
        user_id: row.id,
        user: row.email === '' ? null : { email: row.email },
        role: row.role,
        last_admin: row.last_admin === 1,
        suspended: row.suspended_at !== null,
        created_at: new Date(row.created_at).toISOString(),
        plan_type: plan?.plan_type ?? 'free',
        current_usage: plan?.current_usage ?? 0,
        monthly_limit: plan?.monthly_limit ?? PLANS.free.monthlyLimit,
        actual_url_count: row.links,
      };
    }),
    nextCursor,
  };
}

/** GET /api/admin?action=urls: one page of all links, deleted ones included. */
export async function listAdminLinks(
  db: Db,
  filter: LinkFilter,
  cursor: string,
): Promise<AdminUrlsResponse> {
  const found = await readLinkPage(db, filter, idFromCursor(cursor));
  const unread = found.unread === null ? null : String(found.unread);
  const { rows, nextCursor } = paginate(found.rows, (row) => String(row.id), unread);
  return { urls: rows.map(toAdminLink), nextCursor };
}

function toAdminLink(row: LinkRow): AdminLink {
  return {
    short_code: row.code,
    domain: parseLinkDomain(row.domain),
    long_url: row.target,
    click_count: row.clicks,
    created_at: new Date(row.created_at).toISOString(),
    status: row.status,
    user_id: row.user_id,
    user_email: row.user_email,
    holds: parseHolds(row.holds),
  };
}

const userCursor = (createdAt: number, id: string): string => `${createdAt}.${id}`;

/** Returns null (the first page) for a cursor that this API did not write. */
function parseUserCursor(cursor: string): UserCursor | null {
  const [, createdAt, id] = /^(\d{1,15})\.(.*)$/.exec(cursor) ?? [];
  return createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt), id };
}
