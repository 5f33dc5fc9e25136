import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { bundleMinified } from './bundle.ts';
import { ensureWebBuilt } from './build-web.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { CONFIG, ROOT, WEB_DIST } from '#scripts/shared/place.ts';
import { filesFor, findCycle, gzipSize, readManifest } from './sizes.ts';

const KB = 1024;
/** Member screens need the session and the sign-in client. */
const MEMBERS = ['app/query-client.tsx', 'shared/session/auth-client.ts'];
/** The JavaScript (gzip) that the first view of each screen may load, charts included. */
const FIRST_VIEWS = [
  { name: 'Home', sources: ['app/home-page.tsx'], max: 95 * KB },
  // Domains and second factors added 2 KB to it.
  { name: 'Dashboard', sources: [...MEMBERS, 'app/dashboard-page.tsx'], max: 190 * KB },
  {
    name: 'Analytics',
    sources: [...MEMBERS, 'app/analytics-screen.tsx', 'features/analytics/grid/report-grid.tsx'],
    max: 220 * KB,
  },
];

/** Private keys, tokens of common services, and the secrets of tests and demo data. */
const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bsb_secret_[A-Za-z0-9_-]{10,}/,
  /\bhop_live_[A-Za-z0-9]{38}\b/,
  /\bsk_(live|test)_[A-Za-z0-9]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/,
  /a-secret-of-the-/,
  /another-secret-of-the-tests/,
  /demo-(admin|user)\b/,
  /AUTH_SECRET=\S/,
];

let worker = '';

beforeAll(async () => {
  await ensureWebBuilt();
  worker = await bundleMinified();
});

describe('sizes', () => {
  // The public API made up 15 of them when it was added, readiness and alerts 8, webhooks 9, the
  // import 3, campaigns 3. None of it is evaluated before its first use. Jobs that visit the links
  // of chosen accounts only added 1.5, and rules against strangers (limits, evidence, hosts, signed
  // copies, sessions) 14. Copies outside the account, deleted accounts and the operator added 8.
  // Webhooks, imports and clicks of any period by API key, and the OAuth of assistants, added 18.
  // Shared reports, pairs and times of reports, comparisons, and actions on all links that a filter
  // finds added 14. Formatted posts added 3, the error and preview pages with their arcs and the
  // suggestion of a similar code 4, live clicks 1.5, prices and the arcs of posts' pictures 1.5.
  // Passwords, click limits, variants, preview cards and watched destinations added 24, and company
  // accounts 15, of which 9 are oauth4webapi. Passkeys added 14, of which 8.5 are the parser,
  // and the common passwords 20 (docs/decisions.md#d81). Own domains, second factors, mailed codes,
  // notices of sign-ins and the objects that hash passwords added 38. Chunks instead of modules, and
  // Vite's minifier instead of esbuild's, took 25 away.
  it('the Worker is under 423 KB gzip', () => {
    const size = gzipSize(worker);
    console.log(`Worker: ${(size / KB).toFixed(1)} KB gzip`);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(423 * KB);
  });

  it('loads no module of Node before the first redirect', () => {
    const imports = readFileSync(worker, 'utf8').match(/\bfrom ?["`][\w:]+["`]/g) ?? [];
    // The runtime itself has this module: the base class of Durable Objects.
    expect(new Set(imports)).toEqual(new Set(['from"cloudflare:workers"']));
  });

  it('no regular expression of the Worker reads the tables of Unicode at start', () => {
    const literals = globSync('worker/**/*.ts', { cwd: ROOT })
      .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('worker/testing/'))
      .flatMap((file) =>
        (readText(file).match(/^.*\/[^/`]*\\p\{[^/`]*\/[a-z]*[uv].*$/gim) ?? []).map(
          (line) => `${file}: ${line.trim()}`,
        ),
      );
    expect(literals).toEqual([]);
  });

  it('no files import each other, because one would be read before it is complete', () => {
    expect(findCycle(readManifest())).toEqual([]);
    const chunk = (...imports: string[]) => ({ file: 'x.js', imports });
    const circle = { a: chunk('b'), b: chunk('c', 'd'), c: chunk(), d: chunk('b') };
    expect(findCycle(circle)).toEqual(['b', 'd']);
  });

  it.each(FIRST_VIEWS)('the JavaScript of $name is within its budget', ({ name, sources, max }) => {
    const files = filesFor(readManifest(), sources);
    const size = files.reduce((sum, file) => sum + gzipSize(join(WEB_DIST, file)), 0);
    console.log(
      `${name}: ${(size / KB).toFixed(1)} of ${max / KB} KB gzip in ${files.length} files`,
    );
    expect(files.length).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(max);
    // A part that is not found would have no size.
    expect(() => filesFor(readManifest(), ['app/none.tsx'])).toThrow('no chunk for app/none.tsx');
  });

  it.each(['live-clicks', 'live-clicks-example'])(
    'the picture of live clicks adds less than 12 KB gzip to a page: %s',
    (name) => {
      const screens = ['app/home-page.tsx', 'app/overview-screen.tsx', ...MEMBERS];
      const before = new Set(filesFor(readManifest(), screens));
      const files = filesFor(readManifest(), [`features/live-clicks/${name}.tsx`]);
      const added = files.filter((file) => !before.has(file));
      const size = added.reduce((sum, file) => sum + gzipSize(join(WEB_DIST, file)), 0);
      console.log(`${name}: ${(size / KB).toFixed(1)} KB gzip in ${added.length} files`);
      expect(size).toBeGreaterThan(4 * KB);
      expect(size).toBeLessThan(12 * KB);
    },
  );
});

describe('secrets', () => {
  it('[T39] deploys no file that holds a secret', () => {
    const pages = readdirSync(WEB_DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|css|html|json|map)$/.test(name),
    );
    const files = [
      { name: 'Worker', text: readFileSync(worker, 'utf8') },
      ...pages.map((name) => ({ name, text: readFileSync(join(WEB_DIST, name), 'utf8') })),
    ];
    expect(pages.length).toBeGreaterThan(0);
    const found = files.flatMap(({ name, text }) =>
      SECRETS.filter((secret) => secret.test(text)).map((secret) => `${name}: ${secret}`),
    );
    expect(found).toEqual([]);
  });

  it('[T39] deploys nothing that only tests need', () => {
    const text = readFileSync(worker, 'utf8');
    for (const trace of [
      'cloudflare:test',
      'TEST_MIGRATIONS',
      'fast-check',
      'CLICK_SEED',
      'SOAK_SEED',
      'monsoon-sale',
    ])
      expect(text.includes(trace), trace).toBe(false);
  });

  it('[T26] [T39] deploys the strict settings and no secret', () => {
    const { vars } = unstable_readConfig({ config: CONFIG });
    expect(vars).toMatchObject({
      BILLING: 'none',
      DEV_MAILBOX: 'off',
      AUTH_AUTOCONFIRM: 'off',
      ADMIN_EMAILS: '',
    });
    expect(
      Object.keys(vars).filter((name) =>
        /SECRET|PASSWORD(?!_SIGN_IN|_MIN_LENGTH)|PRIVATE/.test(name),
      ),
    ).toEqual([]);
  });
});
