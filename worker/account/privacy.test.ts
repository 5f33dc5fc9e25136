import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import worker from '#worker/index.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { UA_CHROME } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findInDatabase, findInKv, wholeDatabase } from '#worker/testing/scan.ts';
import { EMBEDDED, tab, workerFetch } from '#worker/testing/sign-in.ts';

/** The addresses of all visitors. No fixture uses these documentation ranges. */
const ADDRESSES = [
  '203.0.113.77',
  '198.51.100.201',
  '2001:db8:1234:5678:9abc::1',
  '2001:0DB8:AAAA:bbbb:1:2:3:4',
];
const TRACES = /203\.0\.113|198\.51\.100|2001:0?db8|1234:5678|aaaa:bbbb/i;
/** Any IP address. Browser versions have four parts, too, but they are not stored. */
const ANY_IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/;
const ANY_IPV6 = /(?<![\w:])(?:[\da-f]{1,4}:){3,7}[\da-f:]*[\da-f]{1,4}(?![\w:])/i;

const windows: ClickWindow[] = [];
const clicks = withMethods(env.CLICKS, {
  send: (window: ClickWindow) => (windows.push(window), Promise.resolve()),
});

async function send(
  path: string,
  address: string,
  init: RequestInit = {},
  over: Partial<Env> = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('CF-Connecting-IP', address);
  headers.set('X-Forwarded-For', address);
  headers.set('X-Real-IP', address);
  headers.set('User-Agent', UA_CHROME);
  const request = new Request(path.startsWith('http') ? path : ORIGIN + path, {
    redirect: 'manual',
    ...init,
    headers,
  });
  const ctx = createExecutionContext();
  const response = await worker.fetch(
    request,
    { ...env, CLICKS: clicks, CLICK_WINDOW_MS: '0', ...over },
    ctx,
  );
  await waitOnExecutionContext(ctx);
  return response;
}
const overloaded = (): never => {
  throw new Error('D1_ERROR: overloaded');
};
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...headers },
});

describe('privacy', () => {
  it('[T31] stores no visitor address in D1, KV, clicks or the log', async () => {
    const logged: string[] = [];
    for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation(
        (...words: unknown[]) => void logged.push(words.map(String).join(' ')),
      );
    const member = await makePerson();

    for (const [n, address] of ADDRESSES.entries()) {
      const created = await send(
        '/api/shorten',
        address,
        json({ longUrl: `https://example.com/${n}` }),
      );
      expect(created.status).toBe(201);
      const { code } = await created.json<{ code: string }>();
      await send(
        '/api/shorten',
        address,
        json({ longUrl: 'https://example.com/mine' }, member.headers),
      );
      expect((await send(`/${code}`, address)).status).toBe(302);
      await send(`/${code}`, address, { headers: { 'Sec-GPC': '1' } });
      await send(`/${code}`, address, { headers: { 'User-Agent': 'Googlebot/2.1' } });
      await send(`/${code}+`, address);
      expect((await send(`/unknown${n}`, address)).status).toBe(404);
      expect(
        (
          await send(
            '/api/reports',
            address,
            json({ code, reason: 'spam', details: 'Please look.' }),
          )
        ).status,
      ).toBe(201);
      // Failures are logged: a broken database, a bad token, a bad body.
      const broken = withMethods(env.DB, { prepare: overloaded });
      await send('/api/blogs', address, {}, { DB: broken });
      await send(`/gone${n}`, address, {}, { DB: broken });
      await send('/api/my-urls', address, { headers: { Authorization: 'Bearer nonsense' } });
      await send('/api/shorten', address, json('nonsense'));
      const signIn = (over: string, body: unknown) =>
        send(`/api/auth/v1/${over}`, address, json(body), EMBEDDED);
      await signIn('signup', { email: `p${n}@example.com`, password: 'secret-1' });
      await signIn('token?grant_type=password', { email: `p${n}@example.com`, password: 'wrong' });
      await signIn('recover', { email: `p${n}@example.com` });
    }
    await tab({}, 'implicit', workerFetch()).auth.signUp({
      email: 'tab@example.com',
      password: 'secret-1',
    });
    expect(windows.flatMap((window) => window.e).length).toBeGreaterThanOrEqual(
      ADDRESSES.length * 3,
    );
    await foldWindows(env.DB, windows, Date.now());
    await worker.scheduled?.(
      { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined },
      { ...env },
      createExecutionContext(),
    );

    // The scan below is worth something only if the traffic is in the tables.
    const tables = await wholeDatabase();
    for (const table of ['links', 'counters', 'link_totals', 'abuse_reports', 'auth_users'])
      expect({ table, rows: tables.get(table)?.length ?? 0 }).not.toEqual({ table, rows: 0 });
    expect(await findInDatabase(/example\.com/)).not.toEqual([]);
    expect(logged.join('\n')).toContain('request_failed');

    for (const pattern of [TRACES, ANY_IPV4, ANY_IPV6]) {
      expect(await findInDatabase(pattern)).toEqual([]);
      expect(await findInKv(pattern)).toEqual([]);
    }
    expect(
      JSON.stringify(windows.flatMap((window) => window.e.map(({ ua: _ua, ...rest }) => rest))),
    ).not.toMatch(TRACES);
    expect(logged.filter((line) => TRACES.test(line))).toEqual([]);
    vi.restoreAllMocks();
  });
});
