import { LINK_KEY_PATTERN } from '#contract/codes/domain-key.ts';
import * as z from 'zod/mini';
import { domainName } from '#contract/domains.ts';
import {
  CURSOR_MESSAGE,
  hostFilter,
  importId,
  oneTo,
  rfc3339,
  searchText,
  tagFilter,
} from '#contract/common-schemas.ts';
import { BROWSER_LINKS_MAX, BULK_MAX } from '#contract/limits.ts';
import type { UsedQuota } from '#contract/site.ts';
import {
  changesLink,
  newLinkMembers,
  pageChangeMembers,
  type HistoryName,
  type ShownByColumn,
} from './link-settings.ts';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from './my-links.ts';
import { tagNames, type Tag } from './tags.ts';
import { HEALTH_STATES, type LinkHealth } from './watch.ts';

/**
 * POST /api/shorten. The schema checks types only; the link policy checks the target
 * (docs/decisions.md#d12).
 */
export const shortenRequest = z.object({
  longUrl: z.string(),
  /** For members only, like the settings and the tags. */
  customCode: z.optional(z.string()),
  /** A host; '' for the deployment's own. Without it, the member's default domain. */
  domain: z.optional(domainName),
  ...newLinkMembers('page'),
  tags: z.optional(tagNames),
});
export type ShortenRequest = z.infer<typeof shortenRequest>;

/**
 * Status 201. `usage` is present only for members. `claimToken` is present only for visitors: the
 * secret with which POST /api/links/claim puts the link into an account.
 */
export type ShortenResponse = {
  shortUrl: string;
  code: string;
  longUrl: string;
  created_at: string;
  usage?: UsedQuota;
  claimToken?: string;
};

/**
 * POST /api/links/claim moves links that were created without an account into the caller's account.
 * Each one uses one link of the quota. A link that is already in the account counts as claimed and
 * uses nothing.
 */
export const claimRequest = z.object({
  links: z
    .array(
      z.object({
        code: z
          .string()
          .check(z.regex(LINK_KEY_PATTERN, 'Each code in links must be the code of a link.')),
        token: z.string().check(z.minLength(1), z.maxLength(100)),
      }),
    )
    .check(...oneTo('links', BROWSER_LINKS_MAX)),
});
/**
 * Status 200. `lines` has the order of the request. `not_claimable` has the same text for an
 * unknown link, a wrong token, and a link that is expired, disabled or in another account.
 */
export type ClaimLine =
  | { ok: true; code: string }
  | { ok: false; code: string; reason: 'not_claimable' | 'quota_reached'; error: string };
export type ClaimResponse = { lines: ClaimLine[] };

/**
 * POST /api/shorten/bulk creates one short link for each target, for Premium members (402 for
 * others). Targets that the link policy rejects are reported and cost nothing. If the quota is too
 * small for the other links, none is created (429).
 */
export const bulkRequest = z.object({
  longUrls: z
    .array(z.string())
    .check(
      z.minLength(1, 'Paste at least one link.'),
      z.maxLength(BULK_MAX, `Paste at most ${BULK_MAX} links at a time.`),
    ),
  domain: z.optional(domainName),
});
export type BulkRequest = z.infer<typeof bulkRequest>;
export type BulkLine =
  | { ok: true; longUrl: string; shortUrl: string; code: string }
  | { ok: false; longUrl: string; error: string };
/** Status 201. `lines` has the order of the request. */
export type BulkResponse = {
  lines: BulkLine[];
  made: number;
  usage: UsedQuota | null;
};

/** A link in GET /api/my-urls. Times are RFC 3339 strings in UTC. */
export type ListedLink = ShownByColumn & {
  id: number;
  /** The link's key, its address in the API: its code, after the domain's id on a domain. */
  short_code: string;
  /** The host of its domain; '' for the deployment's own short host. */
  domain: string;
  /** Codes that still redirect to the link, newest first. */
  earlier_codes: string[];
  short_url: string;
  long_url: string;
  click_count: number;
  /** How many clicks of its limit are used, a few seconds old; 0 without a limit. */
  limit_used: number;
  created_at: string;
  status: 'active' | 'disabled';
  /** Why the link does not redirect, as a sentence; null while it does. */
  status_reason: string | null;
  /** What checks have found about its destination; null if it is not watched. */
  health: LinkHealth | null;
  tags: Tag[];
  /** Only for links in the trash. */
  deleted_at: string | null;
};

const clicks = (name: string) =>
  z.optional(
    z.coerce
      .number(`${name} must be a number.`)
      .check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
  );

/** The filters of GET /api/my-urls, which its totals and the export of links share. */
export const linkFilters = {
  status: z.optional(z.enum(MY_LINKS_STATUSES)),
  tag: tagFilter,
  favorite: z.optional(z.literal('1')),
  health: z.optional(z.enum(HEALTH_STATES)),
  host: hostFilter,
  domain: z.optional(domainName),
  from: z.optional(rfc3339),
  to: z.optional(rfc3339),
  min_clicks: clicks('min_clicks'),
  max_clicks: clicks('max_clicks'),
  import: z.optional(importId),
  q: z._default(searchText, ''),
};
export const linkFilterQuery = z.object(linkFilters);
export type LinkFilterQuery = z.infer<typeof linkFilterQuery>;

/**
 * GET /api/my-urls: `q` finds links with words of the code, title, target, note or a tag that begin
 * with its words; `cursor` is the `nextCursor` of the previous page with the same sort. `tag` is a
 * name, `host` the host of the target, `domain` that of the short URL ('' for
 * the deployment's own). Archived links are listed only with `status=archived`.
 * `status=trash` lists the links that can be restored, the last deleted first; other filters and
 * the order do not apply to it. `from` and `to` limit when links were created; `to` is excluded.
 * `import` is the id of an import, whose links are listed. In
 * accounts with more than 2,000 links, filters and orders use clicks and last clicks that are up to
 * an hour old.
 */
export const myLinksQuery = z.object({
  ...linkFilters,
  sort: z._default(z.enum(MY_LINKS_SORTS), '-created'),
  // Cursors are base64 of an array that starts with the word “after”.
  cursor: z._default(
    z.string().check(z.regex(/^(WyJhZnRlciIs[\w-]{0,180})?$/, CURSOR_MESSAGE)),
    '',
  ),
});
export type MyLinksQuery = z.infer<typeof myLinksQuery>;

/**
 * GET /api/my-urls/ids, with the filters of GET /api/my-urls: how many links the filters accept,
 * and the ids of up to MATCHING_MAX of them, oldest first. An action on these ids leaves out links
 * that begin to match later.
 */
export type MatchingLinksResponse = { links: number; ids: number[] };

/**
 * `totals` covers all links of the member, not only this page; in a large account it is as old as
 * `countedAt`. `nextCursor` is null on the last page. A page with filters can have fewer links
 * than others without being the last one.
 */
export type MyLinksResponse = {
  urls: ListedLink[];
  nextCursor: string | null;
  totals: { links: number; clicks: number; active: number; countedAt: string | null };
};

/**
 * GET /api/my-urls/totals, with the filters of GET /api/my-urls: how many links they accept, and
 * the clicks of those. It looks at FILTERED_TOTALS_MAX links at most, the newest; if the account
 * has more, `isComplete` is false. Clicks that are stored in another database are up to an hour
 * old.
 */
export type FilteredTotals = { links: number; clicks: number; isComplete: boolean };

/**
 * PATCH /api/links/:code, where the code may be an earlier one, changes the given fields and
 * returns the changed `ListedLink`. `tags` are the names of all its tags; `domain` moves it to
 * another domain.
 */
export const linkChange = z
  .object({
    longUrl: z.optional(z.string()),
    customCode: z.optional(z.string()),
    domain: z.optional(domainName),
    ...pageChangeMembers(),
    enabled: z.optional(z.boolean()),
    tags: z.optional(tagNames),
  })
  .check(changesLink('longUrl, customCode, domain, enabled'));
export type LinkChange = z.infer<typeof linkChange>;

/** A link before or after a change. */
export type LinkState = ShownByColumn<HistoryName> & {
  long_url: string;
  status: 'active' | 'disabled' | 'deleted';
  short_code: string;
  /** The host of its domain; '' for the deployment's own short host. */
  domain: string;
  /** When its preview card last changed (RFC 3339); null for no card. */
  card_at: string | null;
  tags: string[];
};
/**
 * GET /api/links/:code/history: the last changes of the link by its owner, newest first. `keyName`
 * is the API key that made the change; '' for the owner's own pages. `isByWatcher` is true for a
 * change that followed a check of the destination. PATCH /api/links/:code can
 * restore an earlier state.
 */
export type LinkHistory = {
  changes: {
    at: string;
    keyName: string;
    isByWatcher: boolean;
    before: LinkState;
    after: LinkState;
    /** True if another password replaced one: both states have a password. */
    isPasswordReplaced: boolean;
  }[];
};

/** GET /api/qr/:code, for everyone: an SVG image of the full short URL, as a `data:` URL. */
export type QrResponse = { qrCode: string };
