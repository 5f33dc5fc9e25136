import * as z from 'zod/mini';
import type { Post } from './blog.ts';
import type { Subscription } from './plans.ts';

/** GET /api/me: the signed-in person, with the role as the database has it at this request. */
export type Me = { id: string; email: string; role: 'user' | 'admin' };

export type ExportedLink = {
  short_code: string;
  short_url: string;
  long_url: string;
  status: 'active' | 'disabled' | 'deleted';
  status_reason: string | null;
  created_at: string;
  expires_at: string | null;
  clicks: { human: number; visitors: number; bot: number; prefetch: number; first_at: string | null; last_at: string | null };
};

/**
 * GET /api/account/export: everything kept under the person's id, as a download. Times are RFC 3339.
 * GET /api/account/links.csv: the links alone, for spreadsheets.
 */
export type AccountExport = {
  exported_at: string;
  profile: { id: string; email: string; role: 'user' | 'admin'; created_at: string | null; last_seen_at: string | null };
  /** The embedded sign-in's account; null where a hosted service keeps it. */
  sign_in: {
    email: string;
    email_confirmed_at: string | null;
    created_at: string;
    last_sign_in_at: string | null;
    user_metadata: unknown;
  } | null;
  subscription: Subscription | null;
  links: ExportedLink[];
  posts: Omit<Post, 'id'>[];
};

/**
 * DELETE /api/account, answers `{ success: true }`; 409 for the last administrator. `links`: remove them (they answer 410) or keep
 * them working without an owner. 403 `reauthentication_required` unless the person has just shown that the account is theirs: by
 * `current_password`, or by a mailed code in the last ten minutes; with a hosted service by signing in again.
 */
export const accountDeletion = z.object({
  confirm: z.literal('delete my account', 'Type the words to confirm.'),
  links: z.enum(['remove', 'keep']),
  current_password: z.optional(z.string()),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;
