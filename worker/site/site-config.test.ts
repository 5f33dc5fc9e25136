import * as fc from 'fast-check';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { STAND_INS, type SiteConfig } from '#contract/pages/page-templates.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { fillSettings } from './fill-template.ts';
import { scriptJson } from './root-files.ts';
import { siteConfig } from './site-config.ts';

async function configOf(overrides: Partial<Env>, path = '/'): Promise<SiteConfig> {
  const html = await (await call(path, {}, { ...builtAssets, ...overrides })).text();
  return JSON.parse(
    /<script type="application\/json" id="hop-config">([^<]*)<\/script>/.exec(html)?.[1] ?? '',
  );
}
const embedded = { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' };

describe('the settings in a page', () => {
  it('a page has every setting that its text names, or nothing', () => {
    const origins = { app: 'https://a.example', short: 'https://a.example', domains: NO_DOMAINS };
    const template = Object.values(STAND_INS).join(' | ');
    const fill = (vars: Partial<Env>) =>
      fillSettings(template, siteConfig({ ...env, ...vars }, origins, 'https://a.example/'));
    const vars = {
      PRICES: 'USD 6/60',
      SUPPORT_EMAIL: 'help@a.example',
      OPERATOR_NAME: 'Hop & Co',
      OPERATOR_ADDRESS: 'Main Street 1',
      PRIVACY_EMAIL: 'privacy@a.example',
      REPUTATION_DOH_URL: 'https://dns.example/query',
      BACKUP_S3_URL: 'https://s3.example/copies',
    };
    expect(fill(vars).split(' | ')).toEqual([
      'https://a.example',
      'a.example',
      '$0',
      '$6',
      '$60',
      'help@a.example',
      'Hop &amp; Co',
      'Main Street 1',
      'privacy@a.example',
      'dns.example',
      's3.example',
    ]);
    expect(fill({ PRICES: 'EUR 5', BACKUP_S3_URL: '' })).toMatch(/\| €5 \|  \|.*\| $/);
  });
});

describe('the hosts in a page', () => {
  it('a short URL has the scheme of the short host', () => {
    const origins = {
      app: 'https://app.example',
      short: 'http://s.example:8788',
      domains: NO_DOMAINS,
    };
    const config = siteConfig(env, origins, 'https://app.example/');
    expect(fillSettings('https://short-host.invalid/tea on short-host.invalid', config)).toBe(
      'http://s.example:8788/tea on s.example:8788',
    );
  });
});

describe('the configuration in a page', () => {
  it('[T18] the configuration cannot leave its script element', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('</script>', '<!--<script>', ']]>', '</SCRIPT >'),
        ),
        (text) => {
          const json = scriptJson({ siteName: text });
          expect(json).not.toContain('<');
          expect(JSON.parse(json)).toEqual({ siteName: text });
        },
      ),
      { seed: 1 },
    );
  });

  it('[T18] returns a setting that contains markup unchanged', async () => {
    const nasty = '</script><script>alert(1)</script><!--';
    expect((await configOf({ TURNSTILE_SITE_KEY: nasty })).turnstileSiteKey).toBe(nasty);
  });

  it('the sign-in address is this origin if embedded, and the project’s if hosted', async () => {
    expect((await configOf(embedded)).auth).toEqual({
      url: 'http://localhost:8787/api',
      key: expect.stringMatching(/^sb_publishable_/),
      mode: 'embedded',
      passwordMin: 6,
      passwords: true,
      sso: null,
    });
    expect((await configOf({})).auth).toEqual({
      url: env.SUPABASE_URL,
      key: 'sb_publishable_test',
      mode: 'hosted',
      passwords: true,
      sso: null,
    });
  });

  it('[T39] the configuration in a page contains no secret', async () => {
    const secrets = {
      AUTH_SECRET: 'secret-one',
      SUPABASE_JWT_SECRET: 'secret-two',
      TURNSTILE_SECRET_KEY: 'secret-three',
      BACKUP_S3_KEY_SECRET: 'secret-four',
    };
    const html = await (await call('/', {}, { ...builtAssets, ...secrets })).text();
    for (const secret of Object.values(secrets)) expect(html).not.toContain(secret);
  });

  it('the configuration has billing only if it is the demo', async () => {
    expect((await configOf({ BILLING: 'demo' })).billing).toBe('demo');
    for (const BILLING of ['none', '', 'card'])
      expect((await configOf({ BILLING })).billing).toBe('none');
  });

  it('the configuration has the prices of the operator', async () => {
    expect((await configOf({})).prices.map(({ month }) => month)).toEqual(['₹500']);
    expect((await configOf({ PRICES: 'USD 6/60, EUR 5/50' })).prices).toMatchObject([
      { month: '$6', year: '$60' },
      { month: '€5', year: '€50' },
    ]);
  });

  it('the configuration has the support address, the one for abuse, or none', async () => {
    const support = async (SUPPORT_EMAIL: string, ABUSE_EMAIL: string) =>
      (await configOf({ SUPPORT_EMAIL, ABUSE_EMAIL })).supportEmail;
    expect(await support('help@hop.example', 'abuse@hop.example')).toBe('help@hop.example');
    expect(await support('', 'abuse@hop.example')).toBe('abuse@hop.example');
    expect(await support('"x"?cc=y@hop.example', 'abuse@hop.example')).toBe('abuse@hop.example');
    expect(await support('', '')).toBe('');
  });

  it('offers own domains if the zone, its token and the target of records are set', async () => {
    const saas = {
      CF_SAAS_ZONE_ID: 'zone',
      CF_SAAS_TOKEN: 'secret',
      CF_SAAS_TARGET: 'd.hop.example',
    };
    expect(await configOf({})).toMatchObject({ domains: false, ownDomains: false });
    const found = await configOf(saas);
    expect(found).toMatchObject({ domains: true, ownDomains: true });
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('the configuration names the operator and the host that rates targets', async () => {
    const found = await configOf({
      OPERATOR_NAME: 'Hop Ltd',
      OPERATOR_ADDRESS: 'Main Street 1',
      ABUSE_EMAIL: 'abuse@hop.example',
      REPUTATION_DOH_URL: 'https://dns.example/query?name={host}.dbl.example&key=secret',
      MAIL_FROM: 'hop@hop.example',
      BACKUP_S3_URL: 'https://s3.example/copies',
    });
    expect(found).toMatchObject({
      operator: { name: 'Hop Ltd', address: 'Main Street 1', email: 'abuse@hop.example' },
      services: { reputation: 'dns.example', copies: 's3.example' },
      sendsMail: true,
    });
    expect(JSON.stringify(found)).not.toContain('secret');
    expect((await configOf({ PRIVACY_EMAIL: 'dpo@hop.example' })).operator.email).toBe(
      'dpo@hop.example',
    );
    expect((await configOf({ MAIL_FROM: '' })).sendsMail).toBe(false);
  });

  it('the configuration has the mailbox only on a loopback host', async () => {
    expect((await configOf({ DEV_MAILBOX: 'on' })).devMailbox).toBe(true);
    expect(
      (
        await configOf(
          { DEV_MAILBOX: 'on', APP_ORIGIN: 'https://hop.example' },
          'https://hop.example/',
        )
      ).devMailbox,
    ).toBe(false);
  });
});

describe('the head of the pages', () => {
  it('the head says that nobody may sign up only where that is so', async () => {
    const closed = '<meta name="hop-sign-up" content="closed">';
    for (const [SIGN_UP, isClosed] of [
      ['closed', true],
      ['open', false],
    ] as const) {
      const html = await (await call('/', {}, { ...builtAssets, ...embedded, SIGN_UP })).text();
      expect(html.includes(closed), SIGN_UP).toBe(isClosed);
    }
  });

  it('the head colors the browser’s own bars in each scheme', async () => {
    const html = await (await call('/', {}, builtAssets)).text();
    const bars = [...html.matchAll(/<meta name="theme-color" (.*?)>/g)];
    expect(bars.map(([, attributes]) => attributes)).toEqual([
      'data-scheme="light" media="(prefers-color-scheme:light)" content="#fafaf8"',
      'data-scheme="dark" media="(prefers-color-scheme:dark)" content="#0e0f11"',
    ]);
  });
});

describe('the content policy of the pages', () => {
  it('[T35] the content policy allows only our own files and scripts with the nonce', async () => {
    const response = await call('/', {}, { ...builtAssets, ...embedded });
    const policy = (response.headers.get('Content-Security-Policy') ?? '').replaceAll(
      /'nonce-[\w-]{22}'/g,
      "'nonce'",
    );
    expect(policy.split('; ')).toEqual([
      "default-src 'self'",
      "script-src 'self' 'nonce'",
      "style-src 'self' 'nonce'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "frame-src 'none'",
      "font-src 'self' data:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  const policy = async (path: string, overrides: Partial<Env>) =>
    (await call(path, {}, { ...builtAssets, ...overrides })).headers.get(
      'Content-Security-Policy',
    ) ?? '';

  it('[T35] the policy allows only our ad frames if an ad unit exists, never the network', async () => {
    const unit = { ADS_CLIENT: 'ca-pub-1', ADS_SLOT_RESULT: '22' };
    for (const path of ['/', '/analytics/abc', '/pricing', '/settings', '/admin']) {
      expect(await policy(path, { ...embedded, ...unit })).toContain(
        'frame-src http://localhost:8787/ads/frame/;',
      );
      expect(await policy(path, { ...embedded, ...unit })).not.toContain('https:');
      expect((await configOf(unit, path)).networkAds).toEqual(['result']);
      for (const off of [{ ADS_CLIENT: '' }, { ADS_SLOT_RESULT: '' }]) {
        expect(await policy(path, { ...embedded, ...unit, ...off })).toContain("frame-src 'none';");
        expect((await configOf({ ...unit, ...off }, path)).networkAds).toEqual([]);
      }
    }
  });

  it('[T35] the policy allows Turnstile and the hosted sign-in only if configured', async () => {
    expect(await policy('/', embedded)).not.toMatch(/https:/);
    for (const name of ['script-src', 'frame-src'])
      expect(await policy('/', { ...embedded, TURNSTILE_SITE_KEY: 'key' })).toMatch(
        new RegExp(`${name} [^;]*https://challenges\\.cloudflare\\.com`),
      );
    expect(await policy('/', {})).toMatch(
      /connect-src 'self' https:\/\/project\.supabase\.example;/,
    );
  });
});
