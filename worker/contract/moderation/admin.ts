import * as z from 'zod/mini';
import { DELETED_OWNER_ID, type LinkDomain, type LinkHold } from './abuse.ts';
import { SEARCH_MAX } from '#contract/limits.ts';

const yesOrNo = z.optional(z.enum(['yes', 'no']));

/**
 * GET /api/admin?action=…: `q` searches, `cursor` continues after a page. A page of a search or a
 * filter reads a bounded number of users or links, so it may have few rows or none and still a
 * `nextCursor`.
 */
export const adminQuery = z.object({
  action: z.enum(['stats', 'users', 'urls', 'log']),
  q: z._default(z.string().check(z.maxLength(SEARCH_MAX)), ''),
  cursor: z._default(z.string().check(z.maxLength(64)), ''),
  role: z.optional(z.enum(['user', 'admin'])),
  plan: z.optional(z.enum(['free', 'premium'])),
  suspended: yesOrNo,
  /**
   * Filters of links. `held`: by moderation, the blocklist or its reputation. `owner`: a user, or
   * 'visitor' for links without one.
   */
  status: z.optional(z.enum(['active', 'disabled', 'deleted'])),
  held: yesOrNo,
  owner: z.optional(
    z.union(
      [z.literal('visitor'), z.uuid(), z.string().check(z.regex(DELETED_OWNER_ID))],
      'owner must be "visitor", the id of a user, or the label of a deleted account.',
    ),
  ),
});
export type AdminQuery = z.infer<typeof adminQuery>;

/** POST /api/admin/claim: the secret of a link from `npm run admin -- claim`. */
export const adminClaimRequest = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
});

export type AdminLink = {
  short_code: string;
  /** Null for the deployment's own short host. */
  domain: LinkDomain | null;
  long_url: string;
  click_count: number;
  created_at: string;
  status: 'active' | 'disabled' | 'deleted';
  user_id: string | null;
  /** '' for a link without an owner, and for an account without an email. */
  user_email: string;
  /** Why it is disabled. Lifting one hold leaves the others in force. */
  holds: LinkHold[];
};
/** Counts of the last 30 days and of the 30 days before. */
export type Change = { now: number; before: number };
/**
 * The result of the daily check that every link's totals equal the sums of its roll-ups; null
 * before its first run.
 */
export type ClickProof = {
  ok: boolean;
  checked_at: string;
  /** False if only links that were clicked lately were checked; absent in older results. */
  is_full?: boolean | undefined;
  links: number;
  /**
   * The first links whose totals differ: `expected` is the sum of the roll-ups, `found` the total.
   */
  drift: {
    short_code: string;
    figure: 'human' | 'bot' | 'prefetch' | 'visitors';
    expected: number;
    found: number;
  }[];
  /**
   * Clicks of people in the 30 days before the day of the check; null in a result of an earlier
   * release.
   */
  clicks: Change | null;
} | null;

export type AdminStats = {
  total_users: number;
  premium_users: number;
  free_users: number;
  total_urls: number;
  new_users: Change;
  /** Includes deleted links. */
  new_urls: Change;
  new_reports: Change;
  open_reports: number;
  recent_urls: {
    short_code: string;
    domain: LinkDomain | null;
    long_url: string;
    click_count: number;
    created_at: string;
  }[];
  click_proof: ClickProof;
};

export type AdminUser = {
  user_id: string;
  user: { email: string } | null;
  role: 'user' | 'admin';
  /** True for the only administrator who is not suspended. They cannot be demoted. */
  last_admin: boolean;
  suspended: boolean;
  created_at: string;
  plan_type: 'free' | 'premium';
  current_usage: number;
  monthly_limit: number;
  /** Includes deleted links. */
  actual_url_count: number;
};
export type AdminUsersResponse = { users: AdminUser[]; nextCursor: string | null };
export type AdminUrlsResponse = { urls: AdminLink[]; nextCursor: string | null };
export type AdminLogEntry = {
  id: number;
  at: string;
  /** 'system' for a role that ADMIN_EMAILS granted. */
  adminId: string;
  /** '' if the account has no email or was deleted. */
  adminEmail: string;
  action: string;
  /** 'user:<id>', 'link:<code>', 'host:<host>', … */
  subject: string;
  /**
   * The email of a user in `subject`; '' for every other subject, and if the account was deleted.
   */
  subjectEmail: string;
  before: unknown;
  after: unknown;
  reason: string;
};
export type AdminLogResponse = { entries: AdminLogEntry[]; nextCursor: string | null };

const userId = z.uuid('user_id must be the id of a user.');

/** POST /api/admin. Returns `{ success: true }`. */
export const adminAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('update_plan'),
    user_id: userId,
    plan_type: z.enum(['free', 'premium']),
  }),
  z.object({ action: z.literal('reset_usage'), user_id: userId }),
  z.object({ action: z.literal('renew_import'), user_id: userId }),
  z.object({ action: z.literal('set_role'), user_id: userId, role: z.enum(['user', 'admin']) }),
  z.object({ action: z.literal('repair_counts') }),
]);
export type AdminAction = z.infer<typeof adminAction>;
