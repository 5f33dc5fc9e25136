import { KEEP_LINK_CLAIMS_DAYS } from '#contract/limits.ts';
import type { ClaimLine } from '#contract/links.ts';
import { DAY_MS } from '#contract/time.ts';
import { readBrowserLinks, writeBrowserLinks, type BrowserLink } from './stored-links.ts';

/** How long "Not now" applies. */
const ASK_AGAIN_MS = 7 * DAY_MS;

/** Handles "Not now": a member is asked again in a week, or after the next link. */
export function postponeClaim(now: number): void {
  writeBrowserLinks({ ...readBrowserLinks(), askAfter: now + ASK_AGAIN_MS });
}

/**
 * Removes the links that were added to an account. Links that can never be added stay in the list
 * and are not offered again.
 */
export function applyClaimLines(lines: readonly ClaimLine[]): void {
  const { links, askAfter } = readBrowserLinks();
  const outcomes = new Map(lines.map((line) => [line.code, line.ok ? 'claimed' : line.reason]));
  writeBrowserLinks({
    links: links
      .filter(({ code }) => outcomes.get(code) !== 'claimed')
      .map((link) => (outcomes.get(link.code) === 'not_claimable' ? withoutToken(link) : link)),
    askAfter,
  });
}

const withoutToken = ({ code, longUrl, createdAt }: BrowserLink): BrowserLink => ({
  code,
  longUrl,
  createdAt,
  claimToken: '',
});

/** Returns the links that can still be added to an account at `now` (ms). */
export const claimableLinks = (links: readonly BrowserLink[], now: number): BrowserLink[] =>
  links.filter(
    ({ claimToken, createdAt }) =>
      claimToken !== '' && now < new Date(createdAt).getTime() + KEEP_LINK_CLAIMS_DAYS * DAY_MS,
  );
