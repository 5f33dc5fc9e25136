import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { d1Down } from '#worker/testing/faults.ts';

const ON = { STATUS_PAGE: 'on' };
const SHORT = 'https://s.example';
/** The edge cache is by origin, so each test takes another origin. */
let origins = 0;
const atOwnOrigin = () => {
  const APP_ORIGIN = `https://status-${(origins += 1)}.example`;
  return { url: `${APP_ORIGIN}/status`, vars: { ...ON, APP_ORIGIN } };
};
const textOf = async (response: Response) =>
  (await response.text()).replace(/<(style|script)[\s\S]*?<\/\1>/g, '');

describe('GET /status', () => {
  it('answers 404 like any unknown page unless the operator has turned it on', async () => {
    const off = await call('/status');
    expect(off.status).toBe(404);
    expect(await off.text()).toContain('Page not found');
  });

  it('shows which parts work, to everybody and from the cache of browsers', async () => {
    const { url, vars } = atOwnOrigin();
    const response = await call(url, {}, vars);
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=60');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const text = await textOf(response);
    expect(text).toContain('Short links redirect.');
    expect(text).toContain('Website and API');
    // MAIL_FROM is not set.
    expect(text).not.toContain('Emails');
  });

  it('says what does not work while D1 is down', async () => {
    const { url, vars } = atOwnOrigin();
    const response = await call(url, {}, { ...vars, DB: d1Down(env.DB) });
    const text = await textOf(response);
    expect([response.status, text.includes('Some parts are not available')]).toEqual([200, true]);
    expect(text).toContain('Most short links redirect.');
    expect(text).not.toMatch(/D1|KV|cron/i);
    const json = await call(url, { headers: { Accept: 'application/json' } }, vars);
    expect(await json.json()).toMatchObject({
      status: 'down',
      parts: { redirects: 'limited', site: 'down', changes: 'unknown' },
    });
  });

  it('answers programs in JSON', async () => {
    const { url, vars } = atOwnOrigin();
    const response = await call(url, { headers: { Accept: 'application/json' } }, vars);
    expect(await response.json()).toEqual({
      status: expect.any(String),
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      parts: {
        redirects: 'works',
        site: 'works',
        changes: expect.any(String),
        clicks: 'works',
      },
    });
  });

  it('[A13] reads D1 once a minute, and not for a network over its limit', async () => {
    const { url, vars } = atOwnOrigin();
    let statements = 0;
    const DB = countStatements(env.DB, () => (statements += 1));
    await call(url, {}, { ...vars, DB });
    const first = statements;
    expect(first).toBeGreaterThan(0);
    await call(url, {}, { ...vars, DB });
    expect(statements).toBe(first);
    const other = atOwnOrigin();
    const LIMIT_READS = { limit: async () => ({ success: false }) };
    const headers = { 'CF-Connecting-IP': '203.0.113.7' };
    const limited = await call(other.url, { headers }, { ...other.vars, LIMIT_READS, DB });
    expect([limited.status, statements]).toEqual([429, first]);
  });

  it('a separate short host leads to the page of the application', async () => {
    const vars = { ...ON, APP_ORIGIN: 'https://app.example', SHORT_ORIGIN: SHORT };
    const response = await call(`${SHORT}/status`, {}, vars);
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      'https://app.example/status',
    ]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  it('accepts GET and HEAD only', async () => {
    expect((await call('/status', { method: 'HEAD' }, ON)).status).toBe(200);
    expect((await call('/status', { method: 'POST' }, ON)).status).toBe(405);
    expect((await call(`${ORIGIN}/status/x`, {}, ON)).status).toBe(404);
  });
});
