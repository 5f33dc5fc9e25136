import { CHECK_PAUSE_MAX_DAYS } from '#contract/links/watch.ts';
import { DAY_MS } from '#contract/time.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { checkHost } from '#worker/safety/check-host.ts';
import { findOwnDomain, type OwnDomains } from '#worker/safety/own-domain.ts';
import { checkTarget, type TargetPolicy } from '#worker/safety/target.ts';
import { judgeStatus, type CheckOutcome } from './health.ts';

/**
 * One request of a check. A check is a chain of them, because redirects are followed by hand: each
 * goes to an address that the link policy accepts and whose host is public.
 */
export type CheckStep = { url: string; method: 'HEAD' | 'GET'; hops: number };

/** The next request, or what the check found. `retryAt` is when the host wants the next one. */
export type StepResult = { retryAt: number } & (
  | { next: CheckStep; outcome: null }
  | { next: null; outcome: CheckOutcome }
);

export type CheckNetwork = {
  policy: TargetPolicy;
  own: OwnDomains;
  fetcher: FetchFunction;
  userAgent: string;
  clock: () => number;
};

const TIME_LIMIT_MS = 10_000;
const HOPS_MAX = 5;

const unclear = (reason: CheckOutcome['reason']): CheckOutcome => ({
  kind: 'unclear',
  reason,
  status: null,
});
const failure = (reason: CheckOutcome['reason']): CheckOutcome => ({
  kind: 'failure',
  reason,
  status: null,
});

/** Sends one request of a check. Never throws. */
export async function takeStep(step: CheckStep, network: CheckNetwork): Promise<StepResult> {
  const end = (outcome: CheckOutcome, retryAt = 0): StepResult => ({
    next: null,
    outcome,
    retryAt,
  });
  const { policy, own, fetcher, userAgent, clock } = network;
  const check = checkTarget(step.url, policy);
  if (!check.ok || findOwnDomain(check.target.host, own) !== null)
    return end(unclear('not_allowed'));
  const verdict = await checkHost(check.target.host, fetcher);
  if (verdict === 'private') return end(unclear('not_allowed'));
  if (verdict === 'unknown') return end(unclear('unresolved'));
  if (verdict === 'missing') return end(failure('dns'));
  let response: Response;
  try {
    response = await fetcher(check.target.href, {
      method: step.method,
      redirect: 'manual',
      headers: { 'User-Agent': userAgent, Accept: '*/*' },
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
  } catch (error) {
    const isLate =
      error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
    return end(isLate ? unclear('timeout') : failure('connection'));
  }
  // The status is all that counts, so the connection ends before the body of a GET is read.
  await response.body?.cancel().catch(() => undefined);
  const { status, headers } = response;
  const retryAt = readRetryAfter(headers.get('Retry-After'), status, clock());
  const next = nextStep(step, status, headers.get('Location'));
  if (next !== null)
    return next.hops > HOPS_MAX
      ? end(failure('redirects'), retryAt)
      : { next, outcome: null, retryAt };
  if (headers.has('cf-mitigated'))
    return end({ kind: 'unclear', reason: 'challenge', status }, retryAt);
  return end(judgeStatus(status), retryAt);
}

/** The request that follows an answer; null if the answer is the last one. */
function nextStep(
  { url, method, hops }: CheckStep,
  status: number,
  location: string | null,
): CheckStep | null {
  if (method === 'HEAD' && (status === 405 || status === 501)) return { url, method: 'GET', hops };
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  const to = URL.parse(location, url);
  return to === null ? null : { url: to.href, method: 'HEAD', hops: hops + 1 };
}

/** Returns the time that a Retry-After header names, in ms; 0 without one (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | null, status: number, now: number): number {
  if (text === null || (status !== 429 && status !== 503)) return 0;
  const at = /^\d{1,9}$/.test(text.trim()) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.min(at, now + CHECK_PAUSE_MAX_DAYS * DAY_MS);
}
