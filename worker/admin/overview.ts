import type {
  AdminLink,
  AdminLogEntry,
  AdminLogResponse,
  AdminStats,
  AdminUrlsResponse,
  AdminUsersResponse,
} from '#contract/admin.ts';
import { DISABLE_BOUND_SECONDS, PAGE_SIZE } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { readHolds } from '#worker/abuse/holds-of.ts';
import type { Db } from '#worker/db/client.ts';
import { readLastVerification } from '#worker/clicks/verify-totals.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { listLinks, listLog, listUsers, readTotals, type UserCursor } from './store.ts';

type LinkFacts = Awaited<ReturnType<typeof listLinks>>[number];

/** GET /api/admin?action=stats */
export async function adminStats(db: Db): Promise<AdminStats> {
  const totals = await readTotals(db);
  return {
    total_users: totals.users,
    premium_users: totals.premium,
    free_users: totals.users - totals.premium,
    total_urls: totals.links,
    recent_urls: totals.recent.map(({ code, target, clicks, created_at }) => ({
      short_code: code,
      long_url: target,
      click_count: clicks,
      created_at: new Date(created_at).toISOString(),
    })),
    click_proof: await readLastVerification(db),
    disable_bound_seconds: DISABLE_BOUND_SECONDS,
  };
}

/** GET /api/admin?action=users: one page. A person who never shortened is on the free plan with nothing used. */
export async function adminUsers(db: Db, q: string, cursor: string, now: number): Promise<AdminUsersResponse> {
  const { page, next } = cut(await listUsers(db, q.trim(), userCursor(cursor)), (row) => `${row.created_at}.${row.id}`);
  return {
    users: page.map((row) => {
      const plan = row.subscription === null ? null : subscriptionAt(row.subscription, now);
      return {
        user_id: row.id,
        user: row.email === '' ? null : { email: row.email },
        role: row.role,
        suspended: row.suspended_at !== null,
        plan_type: plan?.plan_type ?? 'free',
        current_usage: plan?.current_usage ?? 0,
        monthly_limit: plan?.monthly_limit ?? PLANS.free.monthlyLimit,
        actual_url_count: row.links,
      };
    }),
    next_cursor: next,
  };
}

/** GET /api/admin?action=urls: one page of links of everybody, deleted ones too. */
export async function adminUrls(db: Db, q: string, cursor: string): Promise<AdminUrlsResponse> {
  const { page, next } = cut(await listLinks(db, q.trim(), idCursor(cursor)), (row) => String(row.id));
  return { urls: page.map(linkOf), next_cursor: next };
}

/** GET /api/admin?action=log: one page of what administrators did. */
export async function adminLog(db: Db, q: string, cursor: string): Promise<AdminLogResponse> {
  const { page, next } = cut(await listLog(db, q.trim(), idCursor(cursor)), (row) => String(row.entry.id));
  return {
    entries: page.map(({ entry, email }): AdminLogEntry => ({
      id: entry.id,
      at: new Date(entry.at).toISOString(),
      admin_id: entry.admin_id,
      admin_email: email ?? '',
      action: entry.action,
      subject: entry.subject,
      before: JSON.parse(entry.before),
      after: JSON.parse(entry.after),
      reason: entry.reason,
    })),
    next_cursor: next,
  };
}

function linkOf(row: LinkFacts): AdminLink {
  return {
    short_code: row.code,
    long_url: row.target,
    click_count: row.clicks,
    created_at: new Date(row.created_at).toISOString(),
    status: row.status,
    user_id: row.user_id,
    holds: readHolds(row.holds),
  };
}

/** The store reads one row more than a page: it tells that there is a next one, which starts after this page's last row. */
function cut<T>(rows: T[], cursorOf: (row: T) => string): { page: T[]; next: string | null } {
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return { page, next: rows.length > PAGE_SIZE && last !== undefined ? cursorOf(last) : null };
}

/** A cursor we did not write starts from the beginning. */
function idCursor(cursor: string): number | null {
  return /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : null;
}

function userCursor(cursor: string): UserCursor | null {
  const [, createdAt, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  return createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt), id };
}
