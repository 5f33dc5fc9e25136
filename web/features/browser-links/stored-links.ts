import { isCodePath } from '#contract/codes/link-key.ts';
import { useSyncExternalStore } from 'react';
import type { ClaimLine, ShortenResponse } from '#contract/links/links.ts';
import { BROWSER_LINKS_MAX, KEEP_LINK_CLAIMS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';

/**
 * A link that was created in this browser without an account. `claimToken` is '' once the link
 * cannot be claimed.
 */
export type BrowserLink = { code: string; longUrl: string; createdAt: string; claimToken: string };
/** Newest first. Members are not asked to add the links before `askAfter` (ms). */
export type BrowserLinks = { links: readonly BrowserLink[]; askAfter: number };

const KEY = 'hop-links';
/** How long "Not now" applies. */
const ASK_AGAIN_MS = 7 * DAY_MS;
const NONE: BrowserLinks = { links: [], askAfter: 0 };

/** The last state read or written, with its stored text. */
let known: { text: string | null; state: BrowserLinks } = { text: null, state: NONE };
/** True after a change was not stored (blocked or full). The list then lasts as long as the page. */
let isBlocked = false;
const listeners = new Set<() => void>();

/** Returns the stored list. It is the same object until something changes in any tab. */
export function readBrowserLinks(): BrowserLinks {
  if (isBlocked) return known.state;
  try {
    const text = localStorage.getItem(KEY);
    if (text !== known.text) known = { text, state: parse(text) };
  } catch {
    // Storage is blocked, which the next change finds out, too.
  }
  return known.state;
}

function write(state: BrowserLinks): void {
  const text = state.links.length === 0 ? null : JSON.stringify(state);
  known = { text, state };
  try {
    if (text === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
  } catch {
    isBlocked = true;
  }
  for (const listener of listeners) listener();
}

/** Storage may hold data of another version or another program. Invalid parts are ignored. */
function parse(text: string | null): BrowserLinks {
  try {
    const value: { links?: unknown; askAfter?: unknown } | null = JSON.parse(text ?? 'null');
    if (value === null || !Array.isArray(value.links)) return NONE;
    const links = value.links.filter(isBrowserLink).slice(0, BROWSER_LINKS_MAX);
    return { links, askAfter: typeof value.askAfter === 'number' ? value.askAfter : 0 };
  } catch {
    return NONE;
  }
}

function isBrowserLink(value: unknown): value is BrowserLink {
  if (typeof value !== 'object' || value === null) return false;
  const { code, longUrl, createdAt, claimToken }: Partial<Record<keyof BrowserLink, unknown>> =
    value;
  return (
    typeof code === 'string' &&
    isCodePath(code) &&
    typeof longUrl === 'string' &&
    typeof createdAt === 'string' &&
    typeof claimToken === 'string'
  );
}

/**
 * Adds a new link if it was created without an account, and drops the oldest link if there are too
 * many.
 */
export function addBrowserLink({ code, longUrl, created_at, claimToken }: ShortenResponse): void {
  if (claimToken === undefined) return;
  const others = readBrowserLinks().links.filter((link) => link.code !== code);
  const link = { code, longUrl, createdAt: created_at, claimToken };
  write({ links: [link, ...others].slice(0, BROWSER_LINKS_MAX), askAfter: 0 });
}

/** Removes links from the list. The links themselves keep working. */
export function removeBrowserLinks(removed: readonly Pick<BrowserLink, 'code'>[]): void {
  const { links, askAfter } = readBrowserLinks();
  write({
    links: links.filter(({ code }) => removed.every((link) => link.code !== code)),
    askAfter,
  });
}

/** Handles "Not now": a member is asked again in a week, or after the next link. */
export function postponeClaim(now: number): void {
  write({ ...readBrowserLinks(), askAfter: now + ASK_AGAIN_MS });
}

/**
 * Removes the links that were added to an account. Links that can never be added stay in the list
 * and are not offered again.
 */
export function applyClaimLines(lines: readonly ClaimLine[]): void {
  const { links, askAfter } = readBrowserLinks();
  const outcomes = new Map(lines.map((line) => [line.code, line.ok ? 'claimed' : line.reason]));
  write({
    links: links
      .filter(({ code }) => outcomes.get(code) !== 'claimed')
      .map((link) => (outcomes.get(link.code) === 'not_claimable' ? withoutToken(link) : link)),
    askAfter,
  });
}

/** Returns the links that can still be added to an account at `now` (ms). */
export const claimableLinks = (links: readonly BrowserLink[], now: number): BrowserLink[] =>
  links.filter(
    ({ claimToken, createdAt }) =>
      claimToken !== '' && now < new Date(createdAt).getTime() + KEEP_LINK_CLAIMS_DAYS * DAY_MS,
  );

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns the list and follows changes in other tabs. A prerendered page has none. */
export const useBrowserLinks = (): BrowserLinks =>
  useSyncExternalStore(subscribe, readBrowserLinks, () => NONE);

const withoutToken = (link: BrowserLink): BrowserLink => ({ ...link, claimToken: '' });
