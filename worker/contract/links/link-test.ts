import * as z from 'zod/mini';
import { namesWith, pageChangeMembers } from './link-settings.ts';
import { TARGET_MAX } from '#contract/limits.ts';
import type { LinkVariant } from './link-variants.ts';
import { DEVICES, type RedirectStatus } from './rule-conditions.ts';

const text = (max: number) => z._default(z.string().check(z.maxLength(max)), '');

/** The settings on which redirects depend. A password is tested without its text. */
const TESTED = namesWith({ isPublished: true }).filter((name) => name !== 'password');

/**
 * POST /api/links/test: where a link with these settings would lead a visitor. It reads and writes
 * nothing, so settings can be tested before they are saved. Times are in ms or RFC 3339; a time of
 * null is none.
 */
export const linkTestRequest = z.object({
  longUrl: z.string().check(z.maxLength(TARGET_MAX)),
  settings: z.object({
    ...pageChangeMembers(TESTED),
    hasPassword: z.optional(z.boolean()),
  }),
  visitor: z.object({
    device: z.optional(z.enum(DEVICES)),
    /** A code of two letters; '' for an unknown country. */
    country: text(2),
    /** An Accept-Language header, such as `pt-BR,pt;q=0.9`. */
    language: text(200),
    /** The query of the short URL, with or without its '?'. */
    query: text(500),
    /** When the link is followed, in ms; now if absent. */
    at: z.optional(z.int()),
  }),
});
export type LinkTestRequest = z.input<typeof linkTestRequest>;

/**
 * `clickLimit` is present if the click would count against a limit, which has clicks left.
 * `asksPassword` is present if the visitor has to enter the password first.
 */
type TestedGuards = { clickLimit?: number; asksPassword?: true };

/**
 * Status 200. `by` is the index of the rule that decides. `shares` are the destinations between
 * which the link divides its visitors, in percent, where variants decide: its own first. A link in a
 * state without a redirect answers with a page.
 */
export type LinkTestResponse =
  | ({
      kind: 'redirect';
      to: string;
      status: RedirectStatus;
      by: number | 'default' | 'fallback';
    } & TestedGuards)
  | ({ kind: 'shares'; shares: LinkVariant[]; status: RedirectStatus } & TestedGuards)
  | { kind: 'not_yet'; startsAt: number }
  | { kind: 'ended' };
