import * as z from 'zod/mini';
import { BULK_MAX, SEARCH_MAX } from './limits.ts';

/** Milliseconds since 1970, up to the end of the year 9999 (what RFC 3339 can say). */
const endOfLink = z
  .int('An end date is a time in milliseconds.')
  .check(z.positive(), z.maximum(253_402_300_799_999, 'This end date is too far away.'));

/** POST /api/shorten. The target's own rules (decision 12) are the link policy's, not the parser's. */
export const shortenRequest = z.object({
  longUrl: z.string('Paste the long link first.'),
  customCode: z.optional(z.string()),
  /** Members only. */
  expiresAt: z.optional(endOfLink),
});
export type ShortenRequest = z.infer<typeof shortenRequest>;

/** 201. `usage` only for members: what the quota card shows next. */
export type ShortenResponse = {
  shortUrl: string;
  code: string;
  longUrl: string;
  created_at: string;
  usage?: { current_usage: number; monthly_limit: number };
};

/**
 * POST /api/shorten/bulk, Premium only: one short link for each target. Targets that the link policy refuses are reported and
 * cost nothing; the others are made all together, or none (429) where the quota does not hold them all. Free: 402.
 */
export const bulkRequest = z.object({
  longUrls: z
    .array(z.string('Every line is a link.'))
    .check(z.minLength(1, 'Paste at least one link.'), z.maxLength(BULK_MAX, `At most ${BULK_MAX} links at a time.`)),
});
/** 201. `lines` in the order of the request. */
export type BulkLine =
  | { ok: true; longUrl: string; shortUrl: string; code: string }
  | { ok: false; longUrl: string; error: string };
export type BulkResponse = { lines: BulkLine[]; made: number; usage: { current_usage: number; monthly_limit: number } | null };

/** A link as GET /api/my-urls lists it. Times are RFC 3339 UTC strings. */
export type LinkRow = {
  id: number;
  short_code: string;
  short_url: string;
  long_url: string;
  click_count: number;
  created_at: string;
  status: 'active' | 'disabled';
  /** Why it is disabled, in a sentence; null while active. */
  status_reason: string | null;
  expires_at: string | null;
};

/** GET /api/my-urls?q=&cursor=: `q` searches code and target, `cursor` is the last page's `next_cursor`. */
export const myLinksQuery = z.object({
  q: z._default(z.string().check(z.maxLength(SEARCH_MAX, `Search for at most ${SEARCH_MAX} characters.`)), ''),
  cursor: z._default(z.string().check(z.regex(/^[0-9]{0,15}$/, 'This page does not exist.')), ''),
});

/** `totals` cover all links of the member, not just this page. `next_cursor` is null on the last page. */
export type MyLinksResponse = {
  urls: LinkRow[];
  next_cursor: string | null;
  totals: { links: number; clicks: number; active: number };
};

/**
 * PATCH /api/links/:code by the owner: a new target, an end, or on/off. Answers the changed `LinkRow`, as GET does.
 * DELETE /api/links/:code answers `{ success: true }`; the code stays taken for ever.
 */
export const linkChange = z
  .object({
    longUrl: z.optional(z.string()),
    expiresAt: z.optional(z.nullable(endOfLink)),
    enabled: z.optional(z.boolean()),
  })
  .check(z.refine((change) => Object.values(change).some((value) => value !== undefined), 'Say what to change.'));
export type LinkChange = z.infer<typeof linkChange>;

/** GET /api/qr/:code, by anyone: an SVG image source of the full short URL. */
export type QrResponse = { qrCode: string };
