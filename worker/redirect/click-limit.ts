import { errorText } from '#worker/log.ts';
import { observe } from '#worker/metrics/counters.ts';
import { isPrefetch } from './click-event.ts';
import { isCardBuilder } from './decide.ts';
import type { ClickLimit } from './gate.ts';
import { withTimeout } from './with-timeout.ts';

/** Dependencies from outside of the redirect's folder. */
export type LimitDeps = {
  isBot: (userAgent: string) => Promise<boolean>;
  log: (event: string, facts: Record<string, string | number>) => void;
};

/**
 * `program`: nobody opens the link with this request. `uncounted`: the object did not answer, and
 * the owner wants no redirect then.
 */
export type LimitOutcome = 'passed' | 'reached' | 'program' | 'uncounted';

type Visit = { request: Request; method: string; env: Pick<Env, 'CLICK_LIMITS'> };

const TIMEOUT_MS = 1_000;

/**
 * Counts a click on a link with a click limit, unless the limit is reached. Programs, HEAD and
 * prefetches are not counted, so they do not pass either: a person with the user agent of a bot
 * would otherwise pass any number of times. An object that is too slow may have counted the click
 * nevertheless, so a link makes at most as many redirects as its limit says.
 */
export async function passLimit(
  { request, method, env }: Visit,
  linkId: number,
  limit: ClickLimit,
  deps: LimitDeps,
): Promise<LimitOutcome> {
  const { headers } = request;
  const userAgent = headers.get('User-Agent') ?? '';
  if (method === 'HEAD' || isPrefetch(headers) || isCardBuilder(userAgent)) return 'program';
  if (await deps.isBot(userAgent)) return 'program';
  try {
    const object = env.CLICK_LIMITS.getByName(limit.d);
    const take = object.take({ id: linkId, limitId: limit.d }, limit.n);
    const isTaken = await withTimeout(TIMEOUT_MS, take);
    observe('hop.clicks.limited', 1, isTaken ? 'counted' : 'reached');
    return isTaken ? 'passed' : 'reached';
  } catch (error) {
    const isOpen = limit.o !== undefined;
    const outcome = isOpen ? 'open' : 'closed';
    observe('hop.clicks.limited', 1, outcome);
    deps.log('click_limit_unreachable', { link: linkId, outcome, error: errorText(error) });
    return isOpen ? 'passed' : 'uncounted';
  }
}
