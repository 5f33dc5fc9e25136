import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type SiteConfig,
  EARLY_REQUESTS,
  isMemberPage,
  PRERENDERED,
  shellPath,
  STAND_INS,
  templatePath,
  type PrerenderedPage,
} from '#contract/pages/page-templates.ts';
import { CHECK_PAUSE_MAX_DAYS } from '#contract/links/watch.ts';
import { KEEP_COPIES } from '#contract/limits.ts';
import { PAGES } from '#contract/pages/paths.ts';
import { DEFAULT_PRICE } from '#contract/plans/prices.ts';
import { extractStyles, pageHtml, shellHtml } from '#web/prerender-pages.ts';
import { fillSettings } from '#worker/site/fill-template.ts';
import { ensureWebBuilt } from './build-web.ts';
import { WEB_DIST } from '#scripts/shared/place.ts';

const plain: SiteConfig = {
  siteName: 'Hop',
  appOrigin: STAND_INS.appOrigin,
  shortOrigin: `https://${STAND_INS.shortHost}`,
  auth: { url: STAND_INS.appOrigin, key: '', mode: 'embedded', sso: null, passwords: true },
  billing: 'none',
  prices: [DEFAULT_PRICE],
  networkAds: [],
  supportEmail: '',
  operator: { name: '', address: '', email: '' },
  services: { reputation: '', copies: '' },
  sendsMail: false,
  turnstileSiteKey: '',
  devMailbox: false,
};

const built = (path: string): string => readFileSync(join(WEB_DIST, `${path}.html`), 'utf8');
/** Renders the page as the Worker serves it with these settings. */
const html = (page: PrerenderedPage, settings: Partial<SiteConfig> = {}): string =>
  fillSettings(built(templatePath(page)), { ...plain, ...settings });
/** Renders the page as a text browser shows it. */
const text = (page: PrerenderedPage, settings: Partial<SiteConfig> = {}): string =>
  (/<body>(.*)<\/body>/s.exec(html(page, settings))?.[1] ?? '')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<\/?(p|h\d|li|div|tr|section|nav|ul|summary)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

const SENTENCES: Readonly<Record<PrerenderedPage, readonly string[]>> = {
  '/': [
    'Short links that keep their word.',
    'A free link shortener that counts clicks and follows nobody.',
    'Put a + behind any short URL, and read where it goes, how old it is',
    'Show me what my click would store',
    'What we store, and what we never do',
    'Start free',
  ],
  '/pricing': [
    'Compare plans',
    '₹500',
    'Frequently asked questions',
    'No. Anyone can shorten up to',
  ],
  '/about': [
    'How a redirect works',
    'Every click is counted exactly once',
    `answer 429 with a Retry-After of up to ${CHECK_PAUSE_MAX_DAYS} days`,
  ],
  '/privacy': ['Last updated September 3, 2025', 'Hop stores as little as possible.'],
  '/terms': ['Last updated September 4, 2025'],
  '/docs/api': [
    'Create a link',
    '/links/{id}/qr.png',
    'You need an API key.',
    'https://app-origin.invalid/api/v1/links',
  ],
  '/dashboard': ['My URLs', 'Manage Blogs', 'New link', 'Total Clicks', 'Loading your links…'],
  '/analytics/:code': ['short-host.invalid/hop-link-code', 'Time range', 'Loading analytics…'],
  '/blogs': [
    'Notes from Hop',
    'hop-post-title',
    'hop-post-date',
    'hop-post-minutes min read',
    'hop-post-text',
  ],
  '/blog/:slug': [
    'All posts',
    'hop-post-title',
    'hop-post-date',
    'hop-post-minutes min read',
    'hop-post-text',
  ],
};

beforeAll(async () => {
  await ensureWebBuilt();
});

describe('a prerendered page', () => {
  it.each(PRERENDERED)(
    '%s has its main sentences, one heading and the links of the site',
    (page) => {
      for (const sentence of SENTENCES[page]) expect(text(page)).toContain(sentence);
      expect(html(page).match(/<h1[ >]/g)).toHaveLength(1);
      for (const link of [
        '/pricing',
        '/blogs',
        isMemberPage(page) ? '/dashboard' : '/auth',
        '/privacy',
      ])
        expect(html(page)).toContain(`href="${link}"`);
    },
  );

  it.each(PRERENDERED)(
    '[T35] %s has no inline style, which the content policy would block',
    (page) => {
      expect(html(page)).not.toMatch(/<[^>]+ style="/);
      for (const [tag] of html(page).matchAll(/<(?:style|script)\b[^>]*>/g))
        expect(tag).toMatch(/nonce="__NONCE__"/);
    },
  );

  it('a prerendered page follows the settings', () => {
    const supportEmail = 'x';
    expect(text('/about', { supportEmail })).toContain('Contact support');
    expect(text('/about')).not.toContain('Contact support');
    expect(text('/pricing', { supportEmail }).match(/Priority support/g)).toHaveLength(2);
    expect(text('/pricing')).not.toContain('Priority support');
    expect(text('/pricing', { billing: 'demo' })).not.toContain('No payment provider');
    expect(text('/pricing')).toContain('No payment provider');
    const dollars = { ...DEFAULT_PRICE, month: '$6', free: '$0', year: '$60' };
    const priced = text('/pricing', { prices: [dollars] }).replaceAll(/\s+/g, ' ');
    expect(priced).toContain('$6 per month, billed monthly, or $60 per year');
    expect(priced).not.toMatch(/₹|hop-price/);
    expect(text('/pricing')).not.toContain('per year');
    expect(text('/', { prices: [dollars] })).toContain('$6 a month');
    expect(html('/', { networkAds: ['home'] })).toContain('src="/ads/frame/home"');
    expect(html('/')).not.toContain('<iframe');
    const hosted = { ...plain.auth, mode: 'hosted' } as const;
    expect(text('/privacy', { auth: hosted })).toContain('Supabase stores the sign-in accounts');
    expect(text('/privacy', { auth: hosted })).not.toContain('Your sessions');
    expect(text('/privacy')).toContain('Your sessions');
    expect(text('/privacy')).not.toContain('Supabase');
  });

  it('Privacy and Terms name the operator and the companies of this deployment', () => {
    const operator = { name: 'Hop & Co.', address: 'Main Street 1, Pune', email: 'x@hop.example' };
    for (const page of ['/privacy', '/terms'] as const) {
      expect(text(page, { operator })).toContain('run here by Hop & Co., Main Street 1, Pune.');
      expect(text(page, { operator })).toContain('write to x@hop.example');
      expect(text(page)).toContain('has not entered a name');
      expect(text(page)).toContain('security.txt');
    }
    const settings: [string, Partial<SiteConfig>][] = [
      ['dns.example is asked', { services: { reputation: 'dns.example', copies: '' } }],
      [
        'copy of the database at s3.example',
        { services: { reputation: '', copies: 's3.example' } },
      ],
      ['Cloudflare Turnstile', { turnstileSiteKey: 'key' }],
      ['Google AdSense', { networkAds: ['home'] }],
      ['a weekly summary of your links', { sendsMail: true }],
      ['delivers our email', { sendsMail: true }],
    ];
    for (const [sentence, setting] of settings) {
      expect(text('/privacy', setting)).toContain(sentence);
      expect(text('/privacy')).not.toContain(sentence);
    }
  });

  it('Privacy says how long backups keep a deleted account', () => {
    expect(text('/privacy').replaceAll(/\s+/g, ' ')).toContain(
      `ours until the last of them is deleted, after at most ${KEEP_COPIES.months} months`,
    );
  });

  it('a page of members asks for data before the application starts', () => {
    for (const page of PRERENDERED) {
      expect(html(page).includes('<div id="root" data-members>')).toBe(isMemberPage(page));
      expect(html(page).includes('hopResponses')).toBe(isMemberPage(page));
      for (const path of EARLY_REQUESTS[page] ?? [])
        expect(html(page)).toContain(JSON.stringify(path));
    }
  });

  it('a prerendered page has one list item to repeat, and says what needs JavaScript', () => {
    expect(html('/blogs')).toMatch(/<!--hop:post--><li>.*hop-post-title.*<\/li><!--\/hop:post-->/s);
    expect(PRERENDERED.filter((page) => html(page).includes('needs JavaScript'))).toEqual([
      '/',
      '/dashboard',
      '/analytics/:code',
    ]);
    // The Worker writes the times of posts.
    expect(html('/blog/:slug')).toMatch(/ datetime="hop-post-time"/i);
    expect(html('/blog/:slug')).not.toContain('2001-02-03');
  });
});

describe('the script of a page', () => {
  const NOW = 1_800_000_000_000;

  /** Runs it in a browser that paints nothing, whose stored session ends in this many seconds. */
  function start(page: PrerenderedPage, search: string, seconds: number | null) {
    const scripts = html(page).matchAll(/<script nonce="__NONCE__">(.*?)<\/script>/gs);
    const script = [...scripts].at(-1)?.[1] ?? '';
    const added: Record<string, string>[] = [];
    const requests: [string, Record<string, string>][] = [];
    const frames: (() => void)[] = [];
    const timers: { ms: number; run: () => void }[] = [];
    const window: { hopResponses?: object } = {};
    const session = {
      access_token: 't',
      expires_at: NOW / 1000 + (seconds ?? 0),
      user: { id: 'u' },
    };
    const stored = seconds === null ? {} : { 'sb-hop-auth-token': JSON.stringify(session) };
    const storage = { getItem: (key: string): string | null => Reflect.get(stored, key) ?? null };
    runInNewContext(script, {
      window,
      location: { search },
      localStorage: Object.assign(Object.create(storage), { 'hop-theme': 'dark' }, stored),
      Date: { now: () => NOW },
      document: {
        createElement: (tag: string) => ({ tag }),
        head: { append: (element: Record<string, string>) => added.push(element) },
      },
      fetch: async (path: string, init: { headers: Record<string, string> }) =>
        requests.push([path, init.headers]),
      requestAnimationFrame: (run: () => void) => frames.push(run),
      setTimeout: (run: () => void, ms = 0) => timers.push({ ms, run }),
    });
    for (const { ms, run: starts } of timers) if (ms === 1_000) starts();
    // The page comes to the front later, and is painted then.
    for (const paint of frames) paint();
    for (const { ms, run: continues } of timers) if (ms === 0) continues();
    return { added, requests, responses: Object.keys(window.hopResponses ?? {}) };
  }

  it('starts the application once, also in the background, and loads its files', () => {
    const { added, requests } = start('/terms', '', null);
    expect(requests).toEqual([]);
    expect(added.filter(({ tag }) => tag === 'script')).toMatchObject([
      { type: 'module', nonce: '__NONCE__', src: expect.stringMatching(/^\/assets\/index-/) },
    ]);
    const files = added.flatMap(({ rel, href }) => (rel === 'modulepreload' ? [href] : []));
    expect(files.join()).toContain('/assets/terms-page-');
    expect(new Set(files).size).toBe(added.length - 1);
  });

  it('asks for the data of a member as the application would', () => {
    const { requests, responses } = start('/dashboard', '', 91);
    expect(responses).toEqual(EARLY_REQUESTS['/dashboard']);
    expect(requests).toEqual(
      ['/api/my-urls', `/api/subscription?t=${NOW}`, '/api/me'].map((path) => [
        path,
        { authorization: 'Bearer t', 'cache-control': 'no-cache', 'x-user-id': 'u' },
      ]),
    );
  });

  it.each([
    ['filters of the list', '?q=a', 91],
    ['a token that is about to expire', '', 90],
    ['a browser without a session', '', null],
  ])('asks for nothing with %s, and starts', (_, search, seconds) => {
    const { added, requests } = start('/dashboard', search, seconds);
    expect([requests, added[0]?.['tag']]).toEqual([[], 'script']);
  });
});

describe('extractStyles', () => {
  it('moves style attributes into rules, equal ones into one', () => {
    const { html: moved, css } = extractStyles(
      '<i style="width:1%"></i><b style="width:2%;top:0"></b><i style="width:1%"></i>',
    );
    expect(moved).toBe('<i data-style="0"></i><b data-style="1"></b><i data-style="0"></i>');
    expect(css).toBe('[data-style="0"]{width:1%}[data-style="1"]{width:2%;top:0}');
  });

  it('rejects what could end the rule', () => {
    expect(() => extractStyles('<i style="a:b}*{c:d"></i>')).toThrow('cannot be prerendered');
  });
});

describe('the shell of a page', () => {
  it('the shell has no content and preloads the files of the screen, not of the entry', () => {
    for (const page of PAGES) {
      const shell = built(shellPath(page));
      expect(shell).toContain('<div id="root"></div>');
      expect(shell).toContain('needs JavaScript');
      expect(shell.match(/<script type="module"[^>]*src="\/assets\/index-/g)).toHaveLength(1);
      const files = [...shell.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)"/g)];
      expect(files.length).toBeGreaterThan(0);
      for (const [, file = ''] of files) {
        expect(existsSync(join(WEB_DIST, file))).toBe(true);
        expect(file).not.toContain('/index-');
      }
    }
    expect(built(shellPath('/dashboard'))).toMatch(/modulepreload[^>]*\/dashboard-page-/);
    expect(built(templatePath('/dashboard'))).toMatch(/"\/assets\/dashboard-page-[^"]+\.js"/);
  });

  it('a shell cannot be made from an index.html without a root element', () => {
    expect(() => shellHtml('<head></head><body></body>', [])).toThrow('index.html has no');
  });

  it('a style sheet that could end its element does not become part of a page', () => {
    for (const css of ['a{}</style>', 'a{b:__NONCE__}', '<!-- a{}']) {
      const shell = { html: '', script: '', styles: '', css };
      expect(() => pageHtml(shell, '/terms', [], '')).toThrow('cannot be part of the HTML');
    }
  });
});
