import { continentOf } from '#contract/links/continents.ts';
import type { LinkSettings } from '#contract/links/link-settings.ts';
import type { LinkTestResponse } from '#contract/links/link-test.ts';
import type { Device } from '#contract/links/rule-conditions.ts';
import { toColumnValues } from '#worker/db/link-settings.ts';
import { decide, type RedirectDecision } from '#worker/redirect/decide.ts';
import { toEdgeRecord, type EdgeRecord } from '#worker/redirect/edge-record.ts';

/** A visitor whom the owner of a link imagines. */
export type ImaginedVisitor = {
  device: Device | undefined;
  country: string;
  language: string;
  query: string;
};

/** A user agent of each device, of the form that its browsers send. */
const USER_AGENTS: Readonly<Record<Device, string>> = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  android: 'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile',
  desktop: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0',
};

type Tested = LinkSettings & { target: string; hasPassword: boolean };

const PASSED_PASSWORD = { password: true } as const;

/**
 * Returns where a link would lead a visitor at `at` (ms since 1970). `decide` is what redirects
 * call, so the answers cannot differ.
 */
export function testLink(
  tested: Tested,
  { device, country, language, query }: ImaginedVisitor,
  at: number,
): LinkTestResponse {
  const record = toEdgeRecord({
    id: 0,
    version: 0,
    status: 'active',
    disabled_reason: null,
    card_at: null,
    target: tested.target,
    ...toColumnValues(tested),
    password_hash: tested.hasPassword ? 'tested' : '',
    limit_id: 'tested',
  });
  const place = country.toUpperCase();
  const visitor = {
    userAgent: device === undefined ? '' : USER_AGENTS[device],
    country: place,
    continent: continentOf(place),
    acceptLanguage: language,
    query: query.replace(/^\?/, ''),
    seed: () => 0,
  };
  const first = decide(record, visitor, at);
  const asks = first.kind === 'password' ? ({ asksPassword: true } as const) : {};
  const decision = first.kind === 'password' ? decide(record, visitor, at, PASSED_PASSWORD) : first;
  if (decision.kind === 'limit') {
    const counted = decide(record, visitor, at, { ...PASSED_PASSWORD, limit: 'passed' });
    if (counted.kind === 'redirect')
      return { ...toAnswer(counted, record), clickLimit: decision.limit.n, ...asks };
  }
  if (decision.kind === 'redirect') return { ...toAnswer(decision, record), ...asks };
  return decision.kind === 'not_yet' ? decision : { kind: 'ended' };
}

type Redirect = Extract<RedirectDecision, { kind: 'redirect' }>;
type Answer = Extract<LinkTestResponse, { kind: 'redirect' | 'shares' }>;

/** The imagined visitor has no address, so all destinations are shown where variants decide. */
function toAnswer({ to, status, by }: Redirect, { w: variants = [] }: EdgeRecord): Answer {
  if (by !== 'variants') return { kind: 'redirect', to, status, by };
  const shares = variants.map(({ u, p }) => ({ url: u, weight: p }));
  return { kind: 'shares', shares, status };
}
