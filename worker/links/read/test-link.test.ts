import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LinkTestRequest } from '#contract/links/link-test.ts';
import { CONDITION_VALUES_MAX, RULES_MAX, TARGET_MAX } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

let me: Person;
beforeEach(async () => {
  me = await makePerson();
});

const longUrl = 'https://example.com/';
const brazil = {
  if: { device: ['ios'], country: ['BR'], language: ['pt'] },
  to: 'https://br.example.com/',
} satisfies NonNullable<LinkTestRequest['settings']['rules']>[number];
const iPhone = { device: 'ios', country: 'br', language: 'pt-BR,pt;q=0.9,en;q=0.8' } as const;

const test = (
  settings: LinkTestRequest['settings'],
  visitor: LinkTestRequest['visitor'] = {},
): Promise<Response> =>
  call('/api/links/test', { json: { longUrl, settings, visitor }, headers: me.headers });
const resultOf = async (...given: Parameters<typeof test>): Promise<unknown> => {
  const response = await test(...given);
  expect(response.status).toBe(200);
  return response.json();
};
const countRows = (): Promise<number | null> =>
  env.DB.prepare('SELECT COUNT(*) AS n FROM links').first<number>('n');

describe('POST /api/links/test', () => {
  it('answers for an iPhone in Brazil, in Portuguese, tomorrow', async () => {
    const tomorrow = Date.now() + DAY_MS;
    const settings = { startsAt: tomorrow - HOUR_MS, redirectStatus: 307 as const };
    const rules = [{ if: { query: ['ref=mail'] }, to: 'https://mail.example.com/' }, brazil];
    const before = await countRows();
    const at = (time: number) => resultOf({ ...settings, rules }, { ...iPhone, at: time });
    expect(await at(tomorrow)).toEqual({ kind: 'redirect', to: brazil.to, status: 307, by: 1 });
    expect(await at(tomorrow - DAY_MS)).toEqual({ kind: 'not_yet', startsAt: settings.startsAt });
    expect(await countRows()).toBe(before);
  });

  it('answers for other visitors, after the end and with a fallback', async () => {
    const rules = [brazil];
    const expiresAt = Date.now() - HOUR_MS;
    const redirect = { kind: 'redirect', to: longUrl, status: 302, by: 'default' };
    expect(await resultOf({ rules }, { ...iPhone, country: 'PT' })).toEqual(redirect);
    expect(await resultOf({ rules, expiresAt }, iPhone)).toEqual({ kind: 'ended' });
    const fallbackUrl = 'https://example.com/over';
    expect(await resultOf({ rules, expiresAt, fallbackUrl }, iPhone)).toEqual({
      ...redirect,
      to: fallbackUrl,
      by: 'fallback',
    });
  });

  it('answers with the shares of all destinations where variants decide', async () => {
    const variants = [{ url: 'https://b.example.com/', weight: 30 }];
    const settings = { rules: [brazil], variants };
    expect(await resultOf(settings, iPhone)).toMatchObject({ to: brazil.to, by: 0 });
    expect(await resultOf(settings, { ...iPhone, country: 'PT' })).toEqual({
      kind: 'shares',
      shares: [{ url: longUrl, weight: 70 }, ...variants],
      status: 302,
    });
  });

  it('needs a session, and names no link: settings of others cannot be read', async () => {
    const body = { longUrl, settings: {}, visitor: {} };
    expect((await call('/api/links/test', { json: body })).status).toBe(401);
    const { code } = await storeLink({ rules: [brazil] });
    const json = { ...body, code, visitor: iPhone };
    const response = await call('/api/links/test', { json, headers: me.headers });
    expect(await response.text()).not.toContain(brazil.to);
  });

  it.each<[string, LinkTestRequest['settings'], LinkTestRequest['visitor']]>([
    ['rules', { rules: Array.from({ length: RULES_MAX + 1 }, () => brazil) }, {}],
    [
      'rules.0.if.query',
      {
        rules: [
          {
            if: { query: Array.from({ length: CONDITION_VALUES_MAX + 1 }, (_, n) => `q${n}`) },
            to: longUrl,
          },
        ],
      },
      {},
    ],
    ['rules.0.if.country.0', { rules: [{ ...brazil, if: { country: ['XYZ'] } }] }, {}],
    ['variants.0.weight', { variants: [{ url: longUrl, weight: 100 }] }, {}],
    ['variants', { variants: [1, 2].map((n) => ({ url: `${longUrl}${n}`, weight: 50 })) }, {}],
    ['variants', { variants: [1, 1].map((weight) => ({ url: longUrl, weight })) }, {}],
    ['rules.1.to', { rules: [brazil, { ...brazil, to: 'http://router.lan/' }] }, {}],
    ['rules.0.to', { rules: [{ ...brazil, to: `${longUrl}${'a'.repeat(TARGET_MAX)}` }] }, {}],
    ['fallbackUrl', { fallbackUrl: 'javascript:alert(1)' }, {}],
    ['visitor.country', {}, { country: 'BRA' }],
    ['visitor.language', {}, { language: 'a'.repeat(201) }],
    ['visitor.query', {}, { query: 'a'.repeat(501) }],
    ['visitor.at', {}, { at: 1.5 }],
  ])('rejects input at %s', async (field, settings, visitor) => {
    const response = await test(settings, visitor);
    expect(response.status).toBe(400);
    const { field: at } = await response.json<{ field: string }>();
    expect(at.replace(/^settings\./, '')).toBe(field);
  });
});
