import * as z from 'zod/mini';
import type { ApiKey } from './api-keys.ts';
import type { Post } from './blog.ts';
import type { Subscription } from './plans.ts';
import type { PlanType } from './site.ts';
import type { Webhook } from './webhooks.ts';

/** GET /api/me: the signed-in user. Role and plan are read from the database on every request. */
export type Me = { id: string; email: string; role: 'user' | 'admin'; plan_type: PlanType };

export type ExportedLink = {
  short_code: string;
  short_url: string;
  long_url: string;
  /** The id that the member's own system has for the link, set through the public API. */
  external_id: string | null;
  status: 'active' | 'disabled' | 'deleted';
  status_reason: string | null;
  created_at: string;
  expires_at: string | null;
  clicks: { human: number; visitors: number; bot: number; prefetch: number; first_at: string | null; last_at: string | null };
};

/**
 * GET /api/account/export: everything stored under the user's id and email, as a download. Times are RFC 3339.
 * GET /api/account/links.csv: the links as a table.
 */
export type AccountExport = {
  exported_at: string;
  profile: { id: string; email: string; role: 'user' | 'admin'; created_at: string | null; last_seen_at: string | null };
  /** The account of the embedded sign-in; null with a hosted service. */
  sign_in: {
    email: string;
    email_confirmed_at: string | null;
    created_at: string;
    last_sign_in_at: string | null;
    user_metadata: unknown;
  } | null;
  subscription: Subscription | null;
  /** What is stored under a keyed hash of the email, beyond the life of the account; null if nothing is. */
  address_record: { demoted_at: string | null } | null;
  links: ExportedLink[];
  posts: Omit<Post, 'id'>[];
  api_keys: ApiKey[];
  webhooks: Webhook[];
};

/**
 * DELETE /api/account. Returns `{ success: true }`, or 409 for the last administrator. `links`: remove them (they return 410) or
 * keep them working, grouped under a random label. Returns 403 `reauthentication_required` unless `current_password` is right or
 * the user has entered a mailed code in the last ten minutes; with a hosted service, unless they signed in that recently.
 */
export const deleteAccountRequest = z.object({
  confirm: z.literal('delete my account', 'Type “delete my account” to confirm.'),
  links: z.enum(['remove', 'keep']),
  current_password: z.optional(z.string()),
});
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>;
