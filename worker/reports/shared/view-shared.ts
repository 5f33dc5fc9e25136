import { shortUrlOf } from '#worker/http/short-url.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import {
  SHARED_LIST_NAMES,
  SHARED_LISTS,
  type SharedCounts,
  type SharedReportView,
} from '#contract/reports/shared-reports.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { consume, refund, type Limit } from '#worker/auth/limits/counters.ts';
import type { Hashers } from '#worker/auth/password/hasher-pool.ts';
import { comparePassword } from '#worker/auth/password/password.ts';
import type { Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { sharedDaysKey, sharedListsKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, readCached } from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { countDays, countLinks, countLists, findDays } from './count-shared.ts';
import { findByHash, type FoundReport } from '#worker/links/share/shared-store.ts';

/** Lists count whole days, so they change once a day. */
const LISTS_CACHE_SECONDS = HOUR_MS / 1000;

/**
 * The most wrong passwords: of a network for one report, and of all networks together, who need the
 * secret address as well.
 */
const TRIES = { max: 10, windowMs: 15 * MINUTE_MS } as const;
const ALL_TRIES = { max: 100, windowMs: HOUR_MS } as const;

type Viewer = {
  /** The viewer's network, and the secret under which it is hashed. */
  network: string;
  authSecret: string;
  hashers: Hashers;
  origins: Origins;
  now: number;
  waitUntil: WaitUntil;
};
export type ViewResult =
  | { ok: true; view: SharedReportView }
  | { ok: false; reason: 'unknown_shared_report' | 'shared_password_needed' | 'passwords_busy' }
  | { ok: false; reason: 'shared_password_wrong' }
  | { ok: false; reason: 'shared_passwords_limited'; retryAfterMs: number };

/**
 * Opens a report by its secret. A report that was revoked, has ended or may not be shown is
 * answered like an unknown one.
 */
export async function viewSharedReport(
  db: Db,
  viewer: Viewer,
  { secret, password }: { secret: string; password?: string | undefined },
): Promise<ViewResult> {
  const report = await findByHash(db, hashToken(secret), viewer.now);
  if (report === undefined) return { ok: false, reason: 'unknown_shared_report' };
  if (report.password_hash !== null) {
    if (password === undefined) return { ok: false, reason: 'shared_password_needed' };
    const refusal = await checkPassword(db, viewer, report, password);
    if (refusal !== null) return refusal;
  }
  return { ok: true, view: await buildView(db, viewer, report) };
}

/** Compares a password. A correct one does not count as a try. Returns null if it is correct. */
async function checkPassword(
  db: Db,
  { network, authSecret, hashers, now }: Viewer,
  { id, password_hash: hash }: FoundReport,
  password: string,
): Promise<Exclude<ViewResult, { ok: true }> | null> {
  const caller = keyedHash(authSecret, 'shared-report', network);
  const limits: Limit[] = [
    { key: `shared-report:${id}:${caller}`, ...TRIES },
    { key: `shared-report:${id}`, ...ALL_TRIES },
  ];
  const { exceeded } = await consume(db, limits, now);
  if (exceeded !== null)
    return {
      ok: false,
      reason: 'shared_passwords_limited',
      retryAfterMs: exceeded.retryAfterMs,
    };
  const result = await comparePassword(hashers, password, hash);
  if (result === null || result.matches) await refund(db, limits);
  if (result === null) return { ok: false, reason: 'passwords_busy' };
  return result.matches ? null : { ok: false, reason: 'shared_password_wrong' };
}

/** True if nothing may show where the link leads (docs/product.md, Passwords). */
const isBehindPassword = ({ link }: FoundReport): boolean => link?.hasPassword === 1;

async function buildView(db: Db, viewer: Viewer, report: FoundReport): Promise<SharedReportView> {
  const { title, link, parts, expires_at: end } = report;
  const origins = await nameDomains(db, viewer.origins, link === null ? [] : [link.code]);
  return {
    kind: link === null ? 'tag' : 'link',
    title,
    shortUrl: link !== null && parts.includes('shortUrls') ? shortUrlOf(origins, link.code) : null,
    destination:
      link !== null && parts.includes('destinations') && !isBehindPassword(report)
        ? link.target
        : null,
    expiresAt: end === null ? null : new Date(end).toISOString(),
    counts: await readCounts(db, viewer, report),
  };
}

/**
 * Returns the counts of a report, from the edge cache if it has them. The owner's present plan
 * decides which of the chosen parts are included.
 */
async function readCounts(
  db: Db,
  { origins, now, waitUntil }: Viewer,
  report: FoundReport,
): Promise<SharedCounts | null> {
  const { id, parts, updated_at: changedAt, subscription } = report;
  const isLocked = isBehindPassword(report);
  const plan = subscription === null ? 'free' : subscriptionAt(subscription, now).plan_type;
  const names = SHARED_LIST_NAMES.filter(
    (name) =>
      parts.includes(name) &&
      (name !== 'variants' || !isLocked) &&
      (!SHARED_LISTS[name].advanced || planIncludes(plan, 'advancedAnalytics')),
  );
  const wanted = await findDays(db, report, now);
  const hasLinks = report.link === null && parts.includes('links');
  const days = await readCached(
    sharedDaysKey(origins, id, changedAt),
    CACHE_SECONDS,
    now,
    waitUntil,
    async () => {
      const counted = await countDays(db, report, wanted, now);
      if (counted === null) return null;
      const request = { wanted, origins, now };
      const links = hasLinks ? await countLinks(db, report, parts, request) : null;
      return { ...counted, links };
    },
  );
  if (days === null) return null;
  const lists = await readCached(
    sharedListsKey(origins, id, changedAt, `${plan}/${dayNumber(now)}${isLocked ? '/locked' : ''}`),
    LISTS_CACHE_SECONDS,
    now,
    waitUntil,
    () => countLists(db, report, names, wanted, now),
  );
  return { ...days, lists: lists ?? [] };
}
