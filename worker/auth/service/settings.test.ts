import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { readOidcSettings } from './oidc-settings.ts';
import { hostedJwtSecret, needsSecondFactor, readAuthSettings } from './settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';

const settingsWith = (vars: Partial<Env>) =>
  readAuthSettings({ ...env, ...EMBEDDED, ...vars }, `${ORIGIN}/`);
const DAYS: string = 'AUTH_SESSION_MAX_DAYS';
/** Values that set nothing: absent, empty, or not a number. */
const NOTHING = [undefined, '', ' ', 'soon', 'NaN'];

describe('settings of the sign-in service', () => {
  it.each([
    ['AUTH_REFRESH_REUSE_SECONDS', 'refreshReuseMs', 60_000],
    ['AUTH_EMAIL_INTERVAL_SECONDS', 'emailIntervalMs', 60_000],
    ['AUTH_LINK_TTL_SECONDS', 'linkTtlMs', 3_600_000],
  ] as const)('%s without a usable value is the default', (name, setting, ms) => {
    for (const value of [...NOTHING, '-1', 'Infinity'])
      expect([value, settingsWith({ [name]: value })[setting]]).toEqual([value, ms]);
    for (const [value, expected] of [
      ['0', 0],
      ['7', 7_000],
      ['0.5', 500],
    ] as const)
      expect(settingsWith({ [name]: value })[setting]).toBe(expected);
  });

  it('a session lasts as many days as set, and 90 at most', () => {
    const days = (value: string | undefined) =>
      settingsWith({ [DAYS]: value }).sessionMaxMs / DAY_MS;
    for (const value of [...NOTHING, '0', '-1', '91', 'Infinity'])
      expect([value, days(value)]).toEqual([value, 90]);
    expect(['90', '89', '0.5'].map(days)).toEqual([90, 89, 0.5]);
  });

  it('addresses need a confirmation unless AUTH_AUTOCONFIRM says yes', () => {
    const confirms = (value: string) => settingsWith({ AUTH_AUTOCONFIRM: value }).autoconfirm;
    expect(['on', 'ON', 'true', '1', 'yes'].map(confirms)).toEqual(Array(5).fill(true));
    expect(['', 'off', 'no', '0', 'on!', 'not on'].map(confirms)).toEqual(Array(6).fill(false));
  });

  it('the key of a hosted project has at least 32 bytes, whatever its characters', () => {
    const bytes = (secret: string) => hostedJwtSecret({ SUPABASE_JWT_SECRET: secret })?.length;
    expect([bytes(''), bytes('x'.repeat(32)), bytes('ü'.repeat(16))]).toEqual([undefined, 32, 32]);
    for (const short of ['x', 'x'.repeat(31), `${'ü'.repeat(15)}x`])
      expect(() => bytes(short)).toThrow('not_set_up');
  });

  it('settings of the provider have defaults, and nothing has spaces around it', () => {
    const issuer = 'https://login.acme.example';
    const none = { OIDC_ISSUER: issuer, OIDC_NAME: ' ', OIDC_SCOPES: ' ', OIDC_SESSION_HOURS: '0' };
    const defaults = {
      issuer,
      clientId: '',
      clientSecret: '',
      name: 'Company account',
      scopes: 'openid email profile',
      allowedDomains: [],
      adminGroup: '',
      linksByEmail: false,
      sessionMs: DAY_MS / 2,
    };
    const given = {
      OIDC_ISSUER: ` ${issuer} `,
      OIDC_CLIENT_ID: ' hop ',
      OIDC_CLIENT_SECRET: ' kept as it is ',
      OIDC_NAME: ' Acme ',
      OIDC_SCOPES: ' openid ',
      OIDC_ALLOWED_DOMAINS: ' Acme.example,\tacme.ORG ',
      OIDC_ADMIN_GROUP: ' admins ',
      OIDC_LINK_BY_EMAIL: ' Verified ',
      OIDC_SESSION_HOURS: '48',
    };
    const oidc = (vars: Record<string, string>) => readOidcSettings({ ...env, ...vars });
    expect(oidc({ OIDC_ISSUER: ' ' })).toBeNull();
    expect(oidc(none)).toEqual(defaults);
    expect(oidc(given)).toEqual({
      issuer,
      clientId: 'hop',
      clientSecret: ' kept as it is ',
      name: 'Acme',
      scopes: 'openid',
      allowedDomains: ['acme.example', 'acme.org'],
      adminGroup: 'admins',
      linksByEmail: true,
      sessionMs: 2 * DAY_MS,
    });
  });

  it('ADMIN_REQUIRES_2FA asks administrators alone for a second factor', () => {
    const needs = (value: string, role: 'user' | 'admin' = 'admin', hasSecondFactor = false) =>
      needsSecondFactor({ ADMIN_REQUIRES_2FA: value }, { role, hasSecondFactor });
    expect([' on ', 'TRUE', '1', 'yes'].map((value) => needs(value))).toEqual(Array(4).fill(true));
    expect(['', 'off', 'on!'].map((value) => needs(value))).toEqual(Array(3).fill(false));
    expect([needs('on', 'user'), needs('on', 'admin', true)]).toEqual([false, false]);
  });

  it('a hosted service needs both its URL and its key', () => {
    const [SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY] = ['https://project.example', 'key'];
    const embedded = [
      { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY },
      { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: '' },
      { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY },
    ].map((vars) => isEmbedded(vars));
    expect(embedded).toEqual([false, true, true]);
  });
});
