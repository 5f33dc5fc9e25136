import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CONTINENTS,
  DEVICES,
  REDIRECT_STATUSES,
  WEEKDAYS,
} from '#contract/links/rule-conditions.ts';
import type { LinkRule, RuleConditions } from '#contract/links/rule-conditions.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { passwordCookie } from '#worker/links/password/password-cookie.ts';
import worker from '#worker/index.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { naiveRedirect, type NaiveLink, type NaiveRequest } from '#worker/testing/naive-rules.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { isBot } from '#worker/http/user-agent.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import {
  decide,
  isCardBuilder,
  type Passed,
  type RedirectDecision,
  type Visitor,
} from './decide.ts';
import {
  decodeEdgeRecord,
  encodeEdgeRecord,
  guardOf,
  isLive,
  toEdgeRecord,
  type EdgeRecord,
} from './edge-record.ts';
import { toGateRow } from './gate.ts';
import { createLinkMemory } from './link-memory.ts';

/** A Monday, two days before clocks go back in Europe. */
const START = Date.UTC(2026, 9, 19);
const MOMENT = fc.integer({ min: 0, max: 14 * 24 * 12 }).map((n) => START + n * 5 * MINUTE_MS);
const URL_OF = fc.integer({ min: 1, max: 5 }).map((n) => `https://d${n}.example.com/path?a=${n}`);

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)',
  'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)',
  'Mozilla/5.0 (Linux; Android 16; K) X11',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  'Mozilla/5.0 (X11; Linux x86_64)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'curl/8.9',
  '',
];
const TAGS = ['pt', 'pt-BR', 'pt-PT', 'de', 'en', 'en-GB', 'zh-Hant-TW'];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
const PARAMETERS = ['ref=mail', 'ref', 'utm_source=x y', 'b=', 'ä=ö'];

const some = <T>(values: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '05', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const timeWindow = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    days: fc.option(some(WEEKDAYS), { nil: undefined }),
    from: clock,
    to: clock,
  })
  .map(({ days, ...window }) => (days === undefined ? window : Object.assign(window, { days })));

const conditions: fc.Arbitrary<RuleConditions> = fc
  .record(
    {
      device: some(DEVICES),
      country: some(['BR', 'PT', 'DE', 'US']),
      continent: some(CONTINENTS),
      language: some(TAGS.map((tag) => tag.toLowerCase())),
      query: some(PARAMETERS),
      time: fc.array(timeWindow, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .filter((chosen) => Object.keys(chosen).length > 0);
const rule: fc.Arbitrary<LinkRule> = fc.record({ if: conditions, to: URL_OF });

const link: fc.Arbitrary<NaiveLink> = fc.record({
  target: URL_OF,
  status: fc.constantFrom('active', 'active', 'active', 'active', 'disabled', 'deleted'),
  startsAt: fc.option(MOMENT, { nil: null }),
  expiresAt: fc.option(MOMENT, { nil: null }),
  fallbackUrl: fc.oneof(fc.constant(''), URL_OF),
  redirectStatus: fc.constantFrom(...REDIRECT_STATUSES),
  rules: fc.array(rule, { maxLength: 4 }),
  variants: fc.uniqueArray(fc.record({ url: URL_OF, weight: fc.integer({ min: 1, max: 24 }) }), {
    maxLength: 4,
    selector: ({ url }) => url,
  }),
  hasPassword: fc.constantFrom(false, false, false, true),
  clicksLeft: fc.constantFrom(null, null, null, 0, 5),
  hasCard: fc.boolean(),
});

const request: fc.Arbitrary<NaiveRequest> = fc.record({
  userAgent: fc.constantFrom(...AGENTS),
  country: fc.constantFrom('BR', 'PT', 'DE', 'US', 'T1', ''),
  continent: fc.constantFrom(...CONTINENTS, ''),
  languages: fc.array(
    fc.record({
      tag: fc.constantFrom(...TAGS),
      quality: fc.constantFrom(0, 0.3, 0.5, 0.8, 0.9, 1),
    }),
    { maxLength: 4 },
  ),
  parameters: fc.array(
    fc.constantFrom(...PARAMETERS).map((text) => {
      const [name = '', value = ''] = text.split('=');
      return { name, value };
    }),
    { maxLength: 2 },
  ),
  knowsPassword: fc.boolean(),
  at: MOMENT,
});

const HASH = 'hash';

const toRow = (given: NaiveLink) => ({
  id: 7,
  version: 1,
  target: given.target,
  status: given.status === 'active' ? storedStatus(given) : given.status,
  disabled_reason: null,
  expires_at: given.expiresAt,
  forward_params: '',
  ...toGateRow(),
  starts_at: given.startsAt,
  fallback_url: given.fallbackUrl,
  redirect_status: given.redirectStatus,
  rules: given.rules.length === 0 ? '' : JSON.stringify(given.rules),
  variants: given.variants.length === 0 ? '' : JSON.stringify(given.variants),
  card_at: given.hasCard ? START : null,
  password_hash: given.hasPassword ? HASH : '',
  click_limit: given.clicksLeft,
  limit_id: given.clicksLeft === null ? '' : 'name',
});

function storedStatus({ startsAt, rules, hasPassword, clicksLeft }: NaiveLink): string {
  if (hasPassword || clicksLeft !== null) return 'guarded';
  return startsAt !== null || rules.length > 0 ? 'conditional' : 'active';
}

const headerOf = ({ languages }: NaiveRequest): string =>
  languages.map(({ tag, quality }) => (quality === 1 ? tag : `${tag};q=${quality}`)).join(', ');
const queryOf = ({ parameters }: NaiveRequest): string =>
  new URLSearchParams(parameters.map(({ name, value }) => [name, value])).toString();

const toVisitor = (given: NaiveRequest): Visitor => ({
  userAgent: given.userAgent,
  country: given.country,
  continent: given.continent,
  acceptLanguage: headerOf(given),
  query: queryOf(given),
  seed: () => given.at,
});

/** Returns the decision after the cookie and the counting object have answered. */
function decideInTurns(
  record: EdgeRecord,
  visitor: Visitor,
  { at, knowsPassword }: NaiveRequest,
  { clicksLeft }: NaiveLink,
): string {
  const { userAgent } = visitor;
  if (isLive(record, at) && isCardBuilder(userAgent)) {
    if (guardOf(record, at) !== null) return 'neutral card';
    if (record.k === 1) return `card ${new URL(record.u).host}`;
  }
  const passed: Passed = {};
  let decision = decide(record, visitor, at, passed);
  if (decision.kind === 'password' && knowsPassword) {
    passed.password = true;
    decision = decide(record, visitor, at, passed);
  }
  if (decision.kind !== 'limit') return toResult(decision);
  if (isCardBuilder(userAgent) || isBot(userAgent)) return 'not for programs';
  passed.limit = clicksLeft === 0 ? 'reached' : 'passed';
  return toResult(decide(record, visitor, at, passed));
}

function toResult(decision: RedirectDecision): string {
  if (decision.kind === 'redirect') return `${decision.status} ${decision.to}`;
  if (decision.kind === 'password') return 'asks for the password';
  return decision.kind === 'not_yet' ? 'starts later' : 'gone';
}

/** Counts the kinds of results, because cases prove nothing if most of them never redirect. */
function countKind(seen: Map<string, number>, expected: readonly string[], result: string): void {
  const isVariant = expected.length > 1 && result !== expected[0];
  const [first = ''] = isVariant ? ['variant'] : result.split(' ');
  seen.set(first, (seen.get(first) ?? 0) + 1);
}
const KINDS = [
  '302',
  '301',
  '307',
  '308',
  'starts',
  'asks',
  'not',
  'gone',
  'card',
  'neutral',
  'variant',
];

describe('the decision of a redirect', () => {
  it(
    'equals a naive reference from memory, from KV and from D1',
    async () => {
      const memory = createLinkMemory();
      const seen = new Map<string, number>();
      await checkProperty(
        'rules of a redirect',
        fc.asyncProperty(link, fc.array(request, { minLength: 3, maxLength: 5 }), (given, all) => {
          const fromD1 = toEdgeRecord(toRow(given));
          const fromKv = decodeEdgeRecord(encodeEdgeRecord(fromD1));
          if (fromKv === null) throw new Error('KV has no valid record.');
          expect(fromKv).toEqual(fromD1);
          memory.set('abc', fromKv, START, DAY_MS);
          const remembered = memory.get('abc', START);
          memory.set('abc', { ...fromKv, v: 0 }, START + 30 * DAY_MS, 0);
          for (const one of all) {
            const expected: readonly string[] = naiveRedirect(given, one);
            const visitor = toVisitor(one);
            const results: string[] = [fromD1, fromKv, remembered ?? fromD1].map((record) =>
              decideInTurns(record, visitor, one, given),
            );
            // 25,000 calls of `expect` would take half of the time.
            const [result = ''] = results;
            if (!expected.includes(result) || results.some((other) => other !== result))
              expect.fail(`${results.join(', ')}, not ${expected.join(' or ')}`);
            countKind(seen, expected, result);
          }
          return Promise.resolve();
        }),
        3_000,
      );
      for (const kind of KINDS) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(90);
    },
    PROPERTY_TIMEOUT,
  );
});

describe('the hours of a rule', () => {
  const PLAIN: NaiveLink = {
    target: 'https://example.com/closed',
    status: 'active',
    startsAt: null,
    expiresAt: null,
    fallbackUrl: '',
    redirectStatus: 302,
    rules: [],
    variants: [],
    hasPassword: false,
    clicksLeft: null,
    hasCard: false,
  };
  const anyone = toVisitor({
    userAgent: '',
    country: '',
    continent: '',
    languages: [],
    parameters: [],
    knowsPassword: false,
    at: START,
  });

  // The random moments above rarely meet a limit.
  it.each([
    ['09:00', '17:00', [8 * 60 + 59, 17 * 60], [9 * 60, 16 * 60 + 59]],
    ['22:00', '06:00', [21 * 60 + 59, 6 * 60], [22 * 60, 5 * 60 + 59]],
  ])('include their first minute and not their last: %s to %s', (from, to, outside, inside) => {
    const hours: LinkRule = {
      if: { time: [{ zone: 'UTC', from, to }] },
      to: 'https://example.com/open',
    };
    const record = toEdgeRecord(toRow({ ...PLAIN, rules: [hours] }));
    const isOpen = (minute: number): boolean =>
      toResult(decide(record, anyone, START + minute * MINUTE_MS, {})).endsWith('/open');
    expect(outside.map(isOpen)).toEqual([false, false]);
    expect(inside.map(isOpen)).toEqual([true, true]);
  });
});

describe('the Worker', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it(
    'redirects as a naive reference says, from D1, from KV and from memory',
    async () => {
      // The first call of an object loads its code, which can take longer than a redirect waits.
      await env.CLICK_LIMITS.getByName('first').take({ id: 0, limitId: 'first' }, 1);
      const CLICKS = withMethods(env.CLICKS, { send: () => Promise.resolve() });
      const over = { CLICKS, LINK_MEMORY_MS: '5000', CLICK_WINDOW_MS: '1' };
      const seen = new Map<string, number>();
      // Work after a response may last 250 ms, so the next request does not wait for it.
      const contexts: ExecutionContext[] = [];
      let cases = 0;
      await checkProperty(
        'redirects by rules',
        fc.asyncProperty(link, request, async (given, one) => {
          cases += 1;
          vi.setSystemTime(START - DAY_MS);
          const { code, id } = await storeNaive(given);
          const expected: readonly string[] = naiveRedirect(given, one);
          vi.setSystemTime(one.at);
          const follow = async (bindings: object): Promise<string> => {
            const request_ = new Request(`${ORIGIN}/${code}?${queryOf(one)}`, {
              redirect: 'manual',
              headers: {
                'User-Agent': one.userAgent,
                'Accept-Language': headerOf(one),
                'CF-Connecting-IP': `203.0.113.${cases % 256}`,
                Cookie: one.knowsPassword ? cookieOf(code, id, one.at) : '',
              },
              cf: { country: one.country, continent: one.continent },
            });
            const ctx = createExecutionContext();
            contexts.push(ctx);
            return readResult(await worker.fetch(request_, { ...env, ...bindings }, ctx));
          };
          const first = await follow({ ...over, LINK_MEMORY_MS: '0' });
          expect(expected, 'D1').toContain(first);
          countKind(seen, expected, first);
          await publishLinks(env, [id], one.at);
          const withoutDb = { ...over, DB: UNTOUCHABLE_DB };
          expect(await follow({ ...withoutDb, LINK_MEMORY_MS: '0' }), 'KV').toBe(first);
          await follow(withoutDb);
          expect(await follow(withoutDb), 'memory').toBe(first);
        }),
        30,
      );
      await Promise.all(contexts.map(waitOnExecutionContext));
      // Too few cases for the rarest kinds. The test above has many of each.
      const rare = new Set(['301', '307', '308', 'not', 'variant']);
      for (const kind of KINDS.filter((one) => !rare.has(one)))
        expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0);
    },
    PROPERTY_TIMEOUT,
  );
});

/** Stores a link with its card in D1 only. */
async function storeNaive(given: NaiveLink): Promise<{ code: string; id: number }> {
  const { startsAt, expiresAt, clicksLeft, hasPassword, hasCard, ...settings } = given;
  const link_ = await storeLink({
    ...settings,
    clickLimit: clicksLeft,
    password: hasPassword ? HASH : '',
    ...(startsAt === null ? {} : { startsAt }),
    ...(expiresAt === null ? {} : { expiresAt }),
    isPublished: false,
  });
  if (hasCard)
    await env.DB.batch(
      [
        `INSERT INTO link_cards (link_id, title, description) VALUES (?1, 'Card', '')`,
        'UPDATE links SET card_at = 1 WHERE id = ?1',
      ].map((statement) => env.DB.prepare(statement).bind(link_.id)),
    );
  return link_;
}

const cookieOf = (code: string, id: number, now: number): string =>
  passwordCookie(authSecret(env), { path: `/${code}`, id, hash: HASH }, { isHttps: false, now });

/** What a response means. Only redirects and cards may name a destination. */
async function readResult(response: Response): Promise<string> {
  const { status, headers } = response;
  const location = headers.get('Location');
  if (location !== null) return `${status} ${location}`;
  const text = await response.text();
  const hosts = new Set(text.match(/d\d\.example\.com/g));
  if (text.includes('og:title'))
    return hosts.size === 0 ? 'neutral card' : `card ${[...hosts].join(' and ')}`;
  expect([...hosts]).toEqual([]);
  if (text.includes('name="password"')) return 'asks for the password';
  if (status === 404) return 'starts later';
  return status === 403 ? 'not for programs' : 'gone';
}
