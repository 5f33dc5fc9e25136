import type { RedirectStatus } from '#contract/links/rule-conditions.ts';
import { isLinkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import { visitorAddress, agentOf, captureClick, type PendingClick } from './click-event.ts';
import { createClickBuffer } from './click-window.ts';
import type { LimitDeps } from './click-limit.ts';
import { decide, isCardBuilder, type Passed, type RedirectDecision } from './decide.ts';
import { deliverWindow, type DeliveryDeps } from './deliver-window.ts';
import { guardOf, isLive, type EdgeRecord } from './edge-record.ts';
import type { NoRedirect } from './error-page.ts';
import { limitFolds } from './limit-folds.ts';
import { linkMemory } from './link-memory.ts';
import { readRedirectQuery } from './read-query.ts';
import { createLossRecorder } from './record-loss.ts';
import { redirectTo } from './redirect-to.ts';
import { resolveLink } from './resolve-link.ts';
import { storedLinks } from './stored-link.ts';
import { hasDailyKey, readDailyKey, visitorSeed } from './visitor-id.ts';

/** Dependencies from outside of the redirect's folder, imported only when they are used. */
export type RedirectDeps = Omit<DeliveryDeps, 'recordLoss'> &
  LimitDeps & {
    /** Adds lost clicks to D1. */
    recordLoss: (env: Env, clicks: number, now: number) => Promise<unknown>;
    /** Writes D1's current record of a link to KV. */
    backfill: (env: Env, linkId: number, now: number) => Promise<unknown>;
    /** Returns the cookie of a visit that passes the password of a link, or the page that asks. */
    enterPassword: (
      visit: Visit,
      link: { id: number; hash: string },
    ) => Promise<{ cookie: string } | Response>;
    /** The preview card of a live link; null to answer as for everyone else. */
    card: (visit: Visit, key: LinkKey, record: EdgeRecord) => Promise<Response | null>;
  };

/**
 * A request with what is read once of it and of the clock, because each of these reads calls into
 * the runtime.
 */
export type Visit = {
  request: Request;
  url: string;
  method: string;
  /** When the request arrived, in ms since 1970. */
  now: number;
  env: Env;
  ctx: ExecutionContext;
  /** Where unknown codes lead on the domain of the request; absent for the 404 page. */
  notFoundUrl?: string | undefined;
};

const isRead = ({ method }: Visit): boolean => method === 'GET' || method === 'HEAD';

/** True for a form that may have the password of a link. */
const isForm = ({ method, request }: Visit): boolean =>
  method === 'POST' &&
  request.headers.get('Content-Type')?.startsWith('application/x-www-form-urlencoded') === true;

/** A disabled link stops within the promised time even if LINK_MEMORY_MS is set higher. */
const MAX_MEMORY_MS = LINK_MEMORY_SECONDS * 1000;
/** For how long an isolate remembers a link, in ms. */
const memoryMsOf = (env: Pick<Env, 'LINK_MEMORY_MS'>): number =>
  Math.min(Number(env.LINK_MEMORY_MS) || 0, MAX_MEMORY_MS);

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Creates the two functions that answer `/{code}`. Their `key` comes from the request and is not
 * validated.
 */
export function createRedirect(deps: RedirectDeps) {
  const buffer = createClickBuffer();
  const delivery: DeliveryDeps = {
    fold: limitFolds(deps.fold),
    log: deps.log,
    recordLoss: createLossRecorder(deps.recordLoss),
  };

  /** Stores the click as plain data. Everything else happens after the response. */
  const countClick = (env: Env, ctx: ExecutionContext, click: PendingClick): void => {
    const due = buffer.add(click, Number(env.CLICK_WINDOW_MS) || 0);
    if (due !== null) ctx.waitUntil(deliverWindow(due, buffer, env, delivery));
  };

  /**
   * The redirect of a live link to a GET or to a password, which is counted, or to a HEAD, which is
   * not. A URL without a query costs only a search for '?'.
   */
  const follow = (
    { request, url, method, now, env, ctx }: Visit,
    record: EdgeRecord,
    status: RedirectStatus = 302,
    destination?: string,
  ): Response => {
    const start = url.indexOf('?');
    const query = start === -1 ? null : readRedirectQuery(url.slice(start + 1), record);
    if (method !== 'HEAD')
      countClick(env, ctx, captureClick(request, record.i, now, query, destination));
    const target = query === null ? record.u : query.target;
    return redirectTo(target, url.startsWith('https:'), method === 'POST' ? 303 : status);
  };

  /**
   * The card of a link, to a program that builds cards. It counts as a prefetch: nobody has opened
   * the link yet. Null if the card cannot be read, so that the program is answered like everyone else.
   */
  const respondWithCard = async (
    visit: Visit,
    key: LinkKey,
    record: EdgeRecord,
  ): Promise<Response | null> => {
    const card = await deps.card(visit, key, record).catch(() => null);
    if (card === null || visit.method !== 'GET') return card;
    const { request, env, ctx, now } = visit;
    const click = captureClick(request, record.i, now);
    click.event.p = 1;
    countClick(env, ctx, click);
    return card;
  };

  /** The redirect that a link's gate or its variants decide on; null if there is none. */
  const followDecision = (visit: Visit, record: EdgeRecord, passed?: Passed): Response | null => {
    const decision = decideFor(visit, record, passed);
    if (decision.kind !== 'redirect') return null;
    return follow(visit, { ...record, u: decision.to }, decision.status, decision.destination);
  };

  /**
   * The response of a link that does not redirect at once: counts the click if the visitor has
   * passed everything before the click limit, then redirects or says why it does not.
   */
  const respondGuarded = async (
    visit: Visit,
    key: LinkKey,
    record: EdgeRecord,
    passed: Passed,
  ): Promise<Response> => {
    const { request, env } = visit;
    const decision = decideFor(visit, record, passed);
    if (decision.kind !== 'limit')
      return (
        followDecision(visit, record, passed) ??
        respondWithError(request, env, reasonOf(decision, key, record))
      );
    const { passLimit } = await import('./click-limit.ts');
    const outcome = await passLimit(visit, record.i, decision.limit, deps);
    if (outcome === 'program' || outcome === 'uncounted')
      return respondWithError(request, env, { why: outcome === 'program' ? 'limit' : outcome });
    return respondGuarded(visit, key, record, { ...passed, limit: outcome });
  };

  /** The redirect of a link; null if it has none at this time. */
  const followLink = (visit: Visit, record: EdgeRecord): Response | null => {
    if (record.g !== undefined || record.w !== undefined) return followDecision(visit, record);
    return isLive(record, visit.now) ? follow(visit, record) : null;
  };

  /** The response of a link that the visit can only follow with its password. */
  const respondWithPassword = async (
    visit: Visit,
    key: LinkKey,
    record: EdgeRecord,
    hash: string,
  ): Promise<Response> => {
    const entered = await deps.enterPassword(visit, { id: record.i, hash });
    if (entered instanceof Response) return entered;
    const response = await respondGuarded(visit, key, record, { password: true });
    if (entered.cookie !== '') response.headers.append('Set-Cookie', entered.cookie);
    return response;
  };

  /**
   * The redirect of a link that this isolate remembers, without a promise and without storage. Null
   * if it does not remember the link, if the link does not redirect, or if variants need the day's
   * key, which is not known here yet.
   */
  const redirectFromMemory = (visit: Visit, key: LinkKey): Response | null => {
    const { now } = visit;
    const record = linkMemory.get(key, now);
    if (record === undefined || (record.k === 1 && showsCard(visit, record))) return null;
    if (record.w !== undefined && !hasDailyKey(now)) return null;
    return isRead(visit) ? followLink(visit, record) : null;
  };

  /**
   * The response to every path that is not a page, file or API: a 302, or a page that says why
   * there is none.
   */
  const redirect = async (visit: Visit, key: LinkKey): Promise<Response> => {
    const { request, env, ctx, now } = visit;
    if (!isRead(visit) && !isForm(visit)) return respondWithError(request, env, { why: 'method' });
    const { notFoundUrl } = visit;
    if (!isLinkKey(key))
      return notFoundUrl === undefined
        ? respondWithError(request, env, { why: 'unknown' })
        : redirectTo(notFoundUrl, visit.url.startsWith('https:'));
    const memoryMs = memoryMsOf(env);
    const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
    const found = linkMemory.hasMiss(key, now)
      ? UNKNOWN
      : await resolveLink(key, {
          request,
          stores: env,
          memory: linkMemory,
          readStoredLink: storedLinks,
          memoryMs,
          now,
          waitUntil,
        });
    if (found.kind === 'down' || found.kind === 'limited')
      return respondWithError(request, env, { why: found.kind });
    if (found.kind === 'unknown') {
      const { respondUnknown } = await import('./respond-unknown.ts');
      return respondUnknown(request, env, key, now, waitUntil, notFoundUrl);
    }
    const { record, needsBackfill } = found;
    if (needsBackfill) waitUntil(deps.backfill(env, record.i, now).catch(() => undefined));
    if (hasCard(record, now) && isRead(visit) && showsCard(visit, record)) {
      const card = await respondWithCard(visit, key, record);
      if (card !== null) return card;
    }
    if (record.w !== undefined) await readDailyKey(env, now);
    const hash = record.g?.p;
    const needsPassword = hash !== undefined && decideFor(visit, record).kind === 'password';
    if (!needsPassword && !isRead(visit)) return respondWithError(request, env, { why: 'method' });
    return needsPassword
      ? respondWithPassword(visit, key, record, hash)
      : (followLink(visit, record) ?? respondGuarded(visit, key, record, {}));
  };

  return { redirect, redirectFromMemory };
}

/** A link with a password or a click limit has a card that says only that. */
const hasCard = (record: EdgeRecord, now: number): boolean =>
  record.k === 1 || guardOf(record, now) !== null;

/** True if a card answers this request: the link redirects now, and its visitor builds cards. */
const showsCard = ({ request, now }: Visit, record: EdgeRecord): boolean =>
  isLive(record, now) && isCardBuilder(request.headers.get('User-Agent') ?? '');

function decideFor(
  { request, url, now }: Visit,
  record: EdgeRecord,
  passed?: Passed,
): RedirectDecision {
  const { headers, cf } = request;
  const start = url.indexOf('?');
  const visitor = {
    userAgent: headers.get('User-Agent') ?? '',
    country: textOf(cf?.country),
    continent: textOf(cf?.continent),
    acceptLanguage: headers.get('Accept-Language') ?? '',
    query: start === -1 ? '' : url.slice(start + 1),
    seed: () => visitorSeed(record.i, agentOf(headers), visitorAddress(headers), now),
  };
  return decide(record, visitor, now, passed);
}

/** Why a link does not redirect now. */
function reasonOf(decision: RedirectDecision, key: LinkKey, record: EdgeRecord): NoRedirect {
  if (decision.kind === 'not_yet') return { why: 'not_yet', startsAt: decision.startsAt };
  if (decision.kind === 'password' || decision.kind === 'reached') return { why: decision.kind };
  return { why: 'gone', key, record };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Imports the page when it is needed, so that a cold isolate that redirects does not evaluate it.
 */
async function respondWithError(request: Request, env: Env, reason: NoRedirect): Promise<Response> {
  const { errorPage } = await import('./error-page.ts');
  return errorPage(request, env, reason);
}
