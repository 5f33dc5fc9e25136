import * as z from 'zod/mini';
import { atMost } from '#contract/common-schemas.ts';
import { LINK_KEY_MAX } from '#contract/codes/domain-key.ts';
import { domainName } from '#contract/domains.ts';
import { SEARCH_MAX } from '#contract/limits.ts';

export const REPORT_REASONS = ['phishing', 'malware', 'spam', 'illegal', 'other'] as const;

/**
 * POST /api/reports, without a sign-in. Returns 201 `{ received: true }` for known and unknown
 * codes.
 */
export const reportRequest = z.object({
  code: z.string().check(z.minLength(1, 'Enter the short URL.'), atMost('A short URL', 500)),
  reason: z.enum(REPORT_REASONS),
  details: z._default(z.string().check(z.trim(), atMost('The details', 2000)), ''),
  turnstileToken: z.optional(z.string().check(z.maxLength(4096))),
});
export type ReportRequest = z.infer<typeof reportRequest>;

/**
 * One reason why a link is disabled: an action on the link, its host (`value`) or its user, an
 * entry of the blocklist (`value`), the host's reputation, or the owner.
 */
export const linkHolds = z.array(
  z.object({
    kind: z.enum(['link', 'user', 'host', 'blocklist', 'reputation', 'owner']),
    value: z.string(),
    reason: z.string(),
  }),
);
export type LinkHold = z.infer<typeof linkHolds>[number];

/**
 * GET /api/admin/reports?status=&q=&cursor= returns the newest reports first. `q`: part of the code
 * or of a destination.
 */
export const reportsQuery = z.object({
  status: z._default(z.enum(['open', 'acted', 'dismissed']), 'open'),
  q: z._default(z.string().check(z.maxLength(SEARCH_MAX)), ''),
  cursor: z._default(z.string().check(z.maxLength(20)), ''),
});
/** The domain of a link, as administrators see it. */
export type LinkDomain = {
  host: string;
  /** True for a host of the operator, which cannot be suspended. */
  isShared: boolean;
  isSuspended: boolean;
};
export type ReportedLink = {
  id: number;
  code: string;
  /** Null for the deployment's own short host. */
  domain: LinkDomain | null;
  longUrl: string;
  targetHost: string;
  /** The target when the link was reported. */
  reportedUrl: string | null;
  reportedHost: string | null;
  linkStatus: 'active' | 'disabled' | 'deleted';
  linkCreatedAt: string;
  /** The reason on the 410 page; null while the link works. */
  disabledReason: string | null;
  /** Why it is disabled. Lifting one hold leaves the others in force. */
  holds: LinkHold[];
  ownerId: string | null;
  reason: string;
  details: string;
  status: 'open' | 'acted' | 'dismissed';
  /** The number of open reports about this link, including this one. */
  openReports: number;
  /**
   * The number of further reports that were counted but not stored, because the link has enough
   * similar ones with this status.
   */
  notStored: number;
  createdAt: string;
};
export type ReportsResponse = { reports: ReportedLink[]; nextCursor: string | null };

/**
 * The prefix of the label that replaces the owner's id on links of a deleted account. A random UUID
 * follows.
 */
export const DELETED_OWNER = 'deleted-';
export const DELETED_OWNER_ID = /^deleted-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const userOrLabel = z.union(
  [z.uuid(), z.string().check(z.regex(DELETED_OWNER_ID))],
  'scope.userId must be the id of a user, or the label of a deleted account.',
);

/**
 * POST /api/admin/moderation acts on a link, on the links to a host (subdomains included), on a
 * member's domain, given by its host, or on a user.
 * 'enable' lifts the hold that 'disable' placed on the same scope; a link with another hold
 * (another scope, the blocklist) stays disabled. A link or a host is disabled for existing links
 * only; the blocklist rejects new ones. Disabling a user suspends them: no session, no new links,
 * and a new account with the same email is suspended, too. For a deleted account (`deleted-<uuid>`)
 * only the links are disabled. Disabling a domain suspends it: everything on it answers 410, and no
 * link can be made there. Returns 409 for yourself and for the last administrator. Returns `{
 * success: true, links: number }`, the number of links that stopped working or work again.
 */
export const moderationAction = z.object({
  action: z.enum(['disable', 'enable']),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('link'), code: z.string().check(z.maxLength(LINK_KEY_MAX)) }),
    z.object({
      kind: z.literal('host'),
      host: z.string().check(z.minLength(1, 'Enter a host.'), z.maxLength(253)),
    }),
    z.object({ kind: z.literal('domain'), host: domainName.check(z.minLength(1)) }),
    z.object({ kind: z.literal('user'), userId: userOrLabel }),
  ]),
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a reason. The 410 page and the audit log show it.'),
      z.maxLength(200),
    ),
  /** The report that this action answers. It is closed with the status 'acted'. */
  reportId: z.optional(z.int()),
});
export type ModerationAction = z.infer<typeof moderationAction>;

/**
 * POST /api/admin/reports/:id dismisses or reopens a report. Returns `{ success: true }`.
 * `destination` is the target that the administrator saw: if it has changed, a dismissal returns
 * 409.
 */
export const reportDecision = z.object({
  status: z.enum(['dismissed', 'open']),
  destination: z.optional(z.string()),
});

/**
 * GET /api/admin/blocklist?q=&cursor= · POST: a text with one host per line. It may have comments
 * after '#', lines of hosts files, `||host^` and URLs, which block that exact target; send longer
 * lists in parts · DELETE /api/admin/blocklist/:value
 */
export const blocklistQuery = z.object({
  q: z._default(z.string().check(z.maxLength(SEARCH_MAX)), ''),
  cursor: z._default(z.string().check(z.maxLength(2048)), ''),
});
export const blocklistImport = z.object({
  hosts: z.string().check(z.minLength(1, 'Enter at least one host.'), z.maxLength(200_000)),
  reason: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
});
export type BlocklistEntry = {
  value: string;
  kind: 'host' | 'target';
  reason: string;
  createdAt: string;
  applied: boolean;
};
export type BlocklistResponse = { entries: BlocklistEntry[]; nextCursor: string | null };
export type BlocklistImportResponse = {
  added: number;
  refused: { line: number; text: string; why: string }[];
};
