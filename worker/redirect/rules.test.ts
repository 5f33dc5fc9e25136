import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CONTINENTS, DEVICES, REDIRECT_STATUSES, WEEKDAYS } from '#contract/rule-conditions.ts';
import type { LinkRule, RuleConditions } from '#contract/rule-conditions.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { naiveRedirect, type NaiveLink, type NaiveRequest } from '#worker/testing/naive-rules.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { isBot } from '#worker/http/user-agent.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { decide, isCardBuilder, type RedirectDecision, type Visitor } from './decide.ts';
import {
  decodeEdgeRecord,
  encodeEdgeRecord,
  toEdgeRecord,
  type EdgeRecord,
} from './edge-record.ts';
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
  clicksLeft: fc.constantFrom(null, null, 0, 5),
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
  at: MOMENT,
});

const toRow = (given: NaiveLink, limitId = 'name') => ({
  id: 7,
  version: 1,
  target: given.target,
  status: given.status === 'active' ? storedStatus(given) : given.status,
  disabled_reason: null,
  expires_at: given.expiresAt,
  forward_params: '',
  starts_at: given.startsAt,
  fallback_url: given.fallbackUrl,
  redirect_status: given.redirectStatus,
  rules: given.rules.length === 0 ? '' : JSON.stringify(given.rules),
  variants: given.variants.length === 0 ? '' : JSON.stringify(given.variants),
  card_at: null,
  password_hash: '',
  click_limit: given.clicksLeft,
  limit_open: 0,
  limit_id: given.clicksLeft === null ? '' : limitId,
});

function storedStatus({ startsAt, rules, clicksLeft }: NaiveLink): string {
  if (clicksLeft !== null) return 'guarded';
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

/** The decision after the object has said whether clicks are left. */
function decideCounted(
  record: EdgeRecord,
  visitor: Visitor,
  { at }: NaiveRequest,
  { clicksLeft }: NaiveLink,
): string {
  const decision = decide(record, visitor, at);
  if (decision.kind !== 'limit') return toResult(decision);
  const { userAgent } = visitor;
  if (isCardBuilder(userAgent) || isBot(userAgent)) return 'not for programs';
  return toResult(decide(record, visitor, at, { limit: clicksLeft === 0 ? 'reached' : 'passed' }));
}

function toResult(decision: RedirectDecision): string {
  if (decision.kind === 'redirect') return `${decision.status} ${decision.to}`;
  return decision.kind === 'not_yet' ? 'starts later' : 'gone';
}

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
            const expected = naiveRedirect(given, one);
            const visitor = toVisitor(one);
            const results = [fromD1, fromKv, remembered ?? fromD1].map((record) =>
              decideCounted(record, visitor, one, given),
            );
            const [result = ''] = results;
            expect(expected).toContain(result);
            expect(results).toEqual([result, result, result]);
            const isVariant = expected.length > 1 && !result.endsWith(given.target);
            for (const kind of [result.slice(0, 3), ...(isVariant ? ['variant'] : [])])
              seen.set(kind, (seen.get(kind) ?? 0) + 1);
          }
          return Promise.resolve();
        }),
        10_000,
      );
      // The cases would prove nothing if most of them never redirected.
      for (const kind of ['302', '301', '307', '308', 'sta', 'gon', 'not', 'variant'])
        expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(500);
    },
    PROPERTY_TIMEOUT,
  );
});

describe('the Worker', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it(
    'redirects as a naive reference says, from D1, from KV and from memory',
    async () => {
      const CLICKS = withMethods(env.CLICKS, { send: () => Promise.resolve() });
      const over = { CLICKS, LINK_MEMORY_MS: '5000', CLICK_WINDOW_MS: '1' };
      await checkProperty(
        'redirects by rules',
        fc.asyncProperty(link, request, async (given, one) => {
          vi.setSystemTime(START - DAY_MS);
          const { code, id } = await storeLink({ ...optional(given), isPublished: false });
          const expected = naiveRedirect(given, one);
          vi.setSystemTime(one.at);
          const follow = async (bindings: object): Promise<string> => {
            const response = await call(
              `/${code}?${queryOf(one)}`,
              {
                headers: {
                  'User-Agent': one.userAgent,
                  'Accept-Language': headerOf(one),
                  'CF-Connecting-IP': '203.0.113.7',
                },
                cf: { country: one.country, continent: one.continent },
              },
              bindings,
            );
            if (response.status === 404) return 'starts later';
            if (response.status === 410) return 'gone';
            // Programs that build cards get one that does not say where the link leads.
            if ([200, 403].includes(response.status)) return 'not for programs';
            return `${response.status} ${response.headers.get('Location')}`;
          };
          const first = await follow({ ...over, LINK_MEMORY_MS: '0' });
          expect(expected, 'D1').toContain(first);
          const record = { ...toEdgeRecord(toRow(given, await limitIdOf(id))), i: id };
          await env.LINKS.put(code, encodeEdgeRecord(record));
          const withoutDb = { ...over, DB: UNTOUCHABLE_DB };
          expect(await follow({ ...withoutDb, LINK_MEMORY_MS: '0' }), 'KV').toBe(first);
          await follow(withoutDb);
          expect(await follow(withoutDb), 'memory').toBe(first);
        }),
        10,
      );
    },
    PROPERTY_TIMEOUT,
  );
});

const limitIdOf = async (id: number): Promise<string> =>
  String(
    await env.DB.prepare('SELECT limit_id FROM links WHERE id = ?').bind(id).first('limit_id'),
  );

function optional({ startsAt, expiresAt, clicksLeft, ...link_ }: NaiveLink) {
  return {
    ...link_,
    clickLimit: clicksLeft,
    ...(startsAt === null ? {} : { startsAt }),
    ...(expiresAt === null ? {} : { expiresAt }),
  };
}
