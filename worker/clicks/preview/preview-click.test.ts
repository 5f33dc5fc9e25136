import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { ClickPreviewResponse } from '#contract/reports/click-preview.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { call } from '#worker/testing/call.ts';
import { makeLinks, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { d1Down } from '#worker/testing/faults.ts';

const LINK_ID = 7;
const ADDRESS = '203.0.113.77';
const CF = { country: 'IN', region: 'Karnataka', city: 'Bengaluru' };
const PERSON = {
  'User-Agent': UA_IPHONE,
  'CF-Connecting-IP': ADDRESS,
  Referer: 'https://www.news.example/a/page?of=mine',
};

async function preview(
  headers: Record<string, string>,
  overrides: Partial<Env> = {},
): Promise<ClickPreviewResponse> {
  const response = await call('/api/click-preview', { headers, cf: CF }, overrides);
  expect(response.status).toBe(200);
  return response.json();
}

/** The details that a real click stores one by one, as the report would list them. */
async function storedAfterClick(headers: Record<string, string>): Promise<unknown> {
  await makeLinks([LINK_ID]);
  const sent: ClickWindow[] = [];
  const CLICKS = withMethods(env.CLICKS, {
    send: (window: ClickWindow) => (sent.push(structuredClone(window)), Promise.resolve()),
  });
  await call(`/link${LINK_ID}`, { headers, cf: CF }, { CLICKS, CLICK_WINDOW_MS: '1' });
  await foldWindows(env.DB, sent, Date.now());
  const row = await env.DB.prepare('SELECT recent FROM link_totals WHERE link_id = ?')
    .bind(LINK_ID)
    .first<{ recent: string }>();
  return JSON.parse(row?.recent ?? 'null');
}

describe('GET /api/click-preview', () => {
  it('returns what a click with the same headers stores', async () => {
    const { details, figure, hasVisitorId } = await preview(PERSON);
    expect({ details, figure, hasVisitorId }).toEqual({
      figure: 'human',
      hasVisitorId: true,
      details: {
        country: 'IN',
        region: 'Karnataka',
        city: 'Bengaluru',
        device: 'Mobile',
        browser: 'Mobile Safari',
        os: 'iOS',
        source: 'news.example',
      },
    });
    const { country, region, city, device, browser, os, source } = details ?? {};
    expect(await storedAfterClick(PERSON)).toEqual([
      [
        expect.any(Number),
        [country, region, city].join('|'),
        [device, browser, os].join('|'),
        source,
      ],
    ]);
  });

  it('says that bots and prefetches only count', async () => {
    const bot = await preview({ ...PERSON, 'User-Agent': UA_BOT });
    expect(bot).toMatchObject({ figure: 'bot', details: null, hasVisitorId: false });
    const prefetch = await preview({ ...PERSON, 'Sec-Purpose': 'prefetch' });
    expect(prefetch).toMatchObject({ figure: 'prefetch', details: null, hasVisitorId: false });
  });

  it.each(['Sec-GPC', 'DNT'])('gives no visitor id with %s', async (header) => {
    const opted = await preview({ ...PERSON, [header]: '1' });
    expect(opted).toMatchObject({ figure: 'human', hasVisitorId: false });
  });

  it('[T33] contains neither the address nor the page, and is not cached', async () => {
    const response = await call('/api/click-preview', { headers: PERSON, cf: CF });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const text = await response.text();
    for (const secret of [ADDRESS, 'of=mine', '/a/page']) expect(text).not.toContain(secret);
  });

  it('stores nothing: it needs neither D1 nor KV nor the queue', async () => {
    const fail = () => Promise.reject(new Error('This must not be called.'));
    const LINKS = withMethods(env.LINKS, { get: fail, put: fail });
    const CLICKS = withMethods(env.CLICKS, { send: fail });
    const answer = await preview(PERSON, { DB: d1Down(env.DB), LINKS, CLICKS });
    expect(answer.figure).toBe('human');
  });

  it('limits the requests of a network', async () => {
    const LIMIT_READS = { limit: () => Promise.resolve({ success: false }) };
    const limited = await call('/api/click-preview', { headers: PERSON }, { LIMIT_READS });
    expect(limited.status).toBe(429);
  });
});
