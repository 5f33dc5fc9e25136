import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { smoke, SMOKE_AGENT } from './smoke.ts';

const ORIGIN = 'https://hop.example';
const HEADERS = {
  'Content-Type': 'text/html',
  'Content-Security-Policy': "default-src 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=1',
};
const html =
  (headers: Record<string, string> = HEADERS) =>
  () => {
    const response = new Response('<html></html>', { headers });
    Object.defineProperty(response, 'url', { value: `${ORIGIN}/` });
    return response;
  };
const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const status = (code: number) => () => new Response(null, { status: code });
const redirect =
  (Location = 'https://example.com/', code = 302, cache = 'private, no-store') =>
  () =>
    new Response(null, { status: code, headers: { Location, 'Cache-Control': cache } });

const LINK = { id: '7', code: 'sale', shortUrl: `${ORIGIN}/sale` };
const SOUND: Record<string, () => Response> = {
  'GET /api/health': status(200),
  'GET /api/ready': json({ ok: true, alerts: true }),
  'GET /': html(),
  'POST /api/v1/links': json(LINK, 201),
  'GET /sale': redirect(),
  'GET /api/v1/links/7': json({ clicks: 1 }),
  'DELETE /api/v1/links/7': status(204),
  'GET /sale+': status(410),
  'POST /api/shorten': json(LINK, 201),
  'GET /dev/mailbox.json': status(404),
};
const MAILBOX: Record<string, () => Response> = {
  'GET /dev/mailbox.json': json([{ link: `${ORIGIN}/auth/confirm#type=signup&token_hash=h` }]),
  'POST /api/auth/v1/signup': json({}),
  'POST /api/auth/v1/verify': json({}),
  'POST /api/auth/v1/token': json({ access_token: 'token' }),
  'GET /api/links/sale': json({ click_count: 1 }),
  'DELETE /api/links/sale': status(204),
  'DELETE /api/account': status(204),
};

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Runs the smoke test on a product that answers as sound, apart from `defects`. */
async function smokeOf(defects: Record<string, () => Response>, key?: string) {
  const asked: string[] = [];
  const agents: (string | null)[] = [];
  const keys = new Map<string, string | null>();
  const bodies = new Map<string, unknown>();
  const visits = new Map<string, unknown>();
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit = {}) => {
    const { method = 'GET', headers, body, redirect: followed } = init;
    const { 'user-agent': agent = null, ...others } = Object.fromEntries(new Headers(headers));
    agents.push(agent);
    const call = `${method} ${url.pathname}`;
    visits.set(call, { ...others, followed });
    asked.push(call);
    keys.set(call, new Headers(headers).get('Authorization'));
    if (typeof body === 'string') bodies.set(call, JSON.parse(body));
    return ({ ...SOUND, ...defects }[call] ?? status(404))();
  });
  const passed = await smoke(ORIGIN, key);
  const failed = printed.flatMap((line) => /^ {2}FAIL {2}([^:]+):/.exec(line)?.[1] ?? []);
  return { passed, failed, asked, agents, keys, bodies, visits };
}

it('a sound product passes with a key, and its link is deleted', async () => {
  const { passed, failed, asked, keys } = await smokeOf({}, 'hop_live_x');
  expect([passed, failed]).toEqual([true, []]);
  expect(asked).toContain('DELETE /api/v1/links/7');
  expect(keys.get('POST /api/v1/links')).toBe('Bearer hop_live_x');
  expect(keys.get('GET /sale')).toBeNull();
  expect(printed.join('\n')).not.toContain('hop_live_x');
});

it.each([
  ['version 1.0.0', { ok: true }, 200, true, false],
  ['alerts that reach nobody', { ok: true, alerts: false }, 503, true, true],
  ['a fault', { ok: false, alerts: true }, 503, false, false],
])('%s: readiness decides, alerts are noted', async (_, body, code, passes, notes) => {
  const { passed } = await smokeOf({ 'GET /api/ready': json(body, code) }, 'hop_live_x');
  expect([passed, printed.join('\n').includes('alerts reach nobody')]).toEqual([passes, notes]);
});

it.each<[string, Record<string, () => Response>]>([
  ['alive', { 'GET /api/health': status(500) }],
  ['ready', { 'GET /api/ready': status(503) }],
  ['page and headers', { 'GET /': status(500) }],
  ['page and headers', { 'GET /': html({ ...HEADERS, 'Content-Type': 'text/plain' }) }],
  ...Object.keys(HEADERS)
    .slice(1)
    .map((name): [string, Record<string, () => Response>] => {
      const { [name]: _, ...others }: Record<string, string> = HEADERS;
      return ['page and headers', { 'GET /': html(others) }];
    }),
  ['page and headers', { 'GET /': () => new Response('<html>', { headers: HEADERS }) }],
  ['new link', { 'POST /api/v1/links': json({ detail: 'No.' }, 403) }],
  ['redirect', { 'GET /sale': redirect(undefined, 301) }],
  ['redirect', { 'GET /sale': redirect('https://example.com/other') }],
  ['redirect', { 'GET /sale': redirect(undefined, 302, 'public, max-age=60') }],
  ['click counted once', { 'GET /api/v1/links/7': json({ clicks: 2 }) }],
  ['link deleted', { 'DELETE /api/v1/links/7': status(500) }],
  ['link deleted', { 'GET /sale+': status(200) }],
])('the step “%s” fails alone for its defect', async (step, defects) => {
  expect(await smokeOf(defects, 'hop_live_x')).toMatchObject({ passed: false, failed: [step] });
});

it.each([
  ['is a challenge', 503, { 'cf-mitigated': 'challenge' }],
  ['forbids it', 403, {}],
])('protection that %s is named, with the way around it', async (_, code, headers) => {
  const blocked = () => new Response(null, { status: code, headers });
  await smokeOf({ 'GET /api/health': blocked });
  expect(printed.join('\n')).toMatch(/allow the user agent Hop-Smoke-Test.*--skip-smoke/);
});

it('every request names the smoke test, and pages are opened as a browser does', async () => {
  const { agents, visits } = await smokeOf({}, 'hop_live_x');
  expect(new Set(agents)).toEqual(new Set([SMOKE_AGENT]));
  for (const page of ['GET /', 'GET /sale', 'GET /sale+'])
    expect(visits.get(page)).toEqual({
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'none',
      followed: 'manual',
    });
});

it('an unknown code that is not a 404 fails', async () => {
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('00000000-0000-4000-8000-000000000000');
  const { failed } = await smokeOf({ 'GET /00000000-0000': status(200) }, 'hop_live_x');
  expect(failed).toEqual(['unknown code']);
});

it('a click that is not counted within a minute fails', async () => {
  vi.useFakeTimers();
  const run = smokeOf({ 'GET /api/v1/links/7': json({ clicks: 0 }) }, 'hop_live_x');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(printed.join('\n')).not.toContain('click counted');
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await run).failed).toEqual(['click counted once']);
});

it('without a key or a mailbox the link stays, and the output says so', async () => {
  expect(await smokeOf({})).toMatchObject({ passed: true, failed: [] });
  expect(printed.join('\n')).toContain(`${ORIGIN}/sale stays, and its click was not checked`);
});

it.each([
  ['passes', {}, []],
  ['fails', { 'POST /api/shorten': status(500) }, ['new link']],
])('a local account is deleted when the test %s', async (_, defects, steps) => {
  const { failed, asked, bodies, keys } = await smokeOf({ ...MAILBOX, ...defects });
  expect([failed, asked.at(-1)]).toEqual([steps, 'DELETE /api/account']);
  expect(asked.includes('DELETE /api/links/sale')).toBe(steps.length === 0);
  const { email, password, data } = Object(bodies.get('POST /api/auth/v1/signup'));
  const confirmed = { ...data, type: 'signup', token_hash: 'h' };
  expect(data.sign_up_secret).toMatch(/^[\w-]{43}$/);
  expect(bodies.get('POST /api/auth/v1/verify')).toEqual(confirmed);
  expect(bodies.get('POST /api/auth/v1/token')).toEqual({ email, password });
  expect(keys.get('DELETE /api/account')).toBe('Bearer token');
  expect(bodies.get('DELETE /api/account')).toEqual({
    confirm: 'delete my account',
    links: 'remove',
    currentPassword: password,
    current_password: password,
  });
});

it('an account that cannot be made or deleted fails the test', async () => {
  const unmade = await smokeOf({ ...MAILBOX, 'POST /api/auth/v1/verify': status(403) });
  expect(unmade).toMatchObject({ passed: false, failed: ['account'] });
  printed = [];
  const kept = await smokeOf({ ...MAILBOX, 'DELETE /api/account': status(500) });
  expect(kept).toMatchObject({ passed: false, failed: ['account deleted'] });
});
