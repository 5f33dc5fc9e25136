import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { connectAssistant } from '#worker/testing/assistant.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { numberOf } from '#worker/testing/link-ids.ts';
import { makePerson } from '#worker/testing/make.ts';
import type { ToolName } from './mcp-tools.ts';

/**
 * What people ask assistants for, each as the calls that an assistant makes. The official client
 * is connected by OAuth, and checks every result against the tool's output schema.
 */
let assistant: Client;
let codes = 0;
beforeAll(async () => {
  assistant = await connectAssistant(await makePerson({ plan: 'premium' }));
  // The client checks results against the schemas of this list.
  await assistant.listTools();
});

type Result = Record<string, unknown> & { untrusted?: Record<string, unknown> };
const send = (name: ToolName, args: Record<string, unknown> = {}) =>
  assistant.callTool({ name, arguments: args });
async function use(name: ToolName, args: Record<string, unknown> = {}): Promise<Result> {
  const result = await send(name, args);
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  return Object(result.structuredContent);
}
async function refusal(name: ToolName, args: Record<string, unknown> = {}): Promise<string> {
  const { isError, content } = await send(name, args);
  expect(isError).toBe(true);
  return JSON.stringify(content);
}
const create = (more: Record<string, unknown> = {}) => {
  codes += 1;
  return use('create_link', { url: 'https://example.com/', code: `say-${codes}`, ...more });
};
const codesIn = ({ data }: Result): unknown[] =>
  Array.from<Result>(Object(data)).map(({ code }) => code);
/** Counts a click on each of these links. */
async function clickFrom(links: readonly Result[], facts: object): Promise<void> {
  const ids = await Promise.all(links.map(({ id }) => numberOf(String(id))));
  const clicks = ids.map((id) => makeClick(id, { t: Date.now(), ...facts }));
  await foldWindows(env.DB, [makeWindow(clicks)], Date.now());
}
const statusOf = async (link: Result) => (await use('get_link', { code: link['code'] }))['status'];

describe('everyday requests', () => {
  it('“Shorten this address.”', async () => {
    const { shortUrl } = await use('create_link', { url: 'https://example.com/long?a=b' });
    const answer = await call(String(shortUrl));
    expect(answer.headers.get('Location')).toBe('https://example.com/long?a=b');
  });

  it('“Shorten these three.”', async () => {
    const links = ['a', 'b', 'javascript:x'].map((path) => ({
      url: path.includes(':') ? path : `https://example.com/${path}`,
    }));
    expect(await use('create_links', { links })).toMatchObject({ created: 2, failed: 1 });
  });

  it('“Where does this short link lead?”', async () => {
    const link = await create({ url: 'https://example.com/where' });
    for (const code of [
      link['shortUrl'],
      link['code'],
      String(link['shortUrl']).replace('http://', ''),
      `${String(link['shortUrl'])}+`,
      `${String(link['shortUrl'])}?qr=1`,
    ])
      expect((await use('get_link', { code })).untrusted?.['url']).toBe(
        'https://example.com/where',
      );
    expect(await refusal('get_link', { code: 'https://other.example/x' })).toContain('find');
  });

  it('“Send this short link somewhere else, and call it Summer.”', async () => {
    const link = await create();
    await use('update_link', {
      id: link['shortUrl'],
      url: 'https://example.com/new',
      title: 'Summer',
    });
    expect((await use('get_link', { code: link['code'] })).untrusted).toMatchObject({
      url: 'https://example.com/new',
      title: 'Summer',
    });
    expect(await refusal('update_link', { id: `${ORIGIN}/nothing`, enabled: true })).toContain(
      'find',
    );
    expect(await refusal('update_link', { id: 'https://other.example/x' })).toContain(
      'not a short URL of this site',
    );
  });

  it('“Stop this link.”', async () => {
    const link = await create();
    await use('disable_link', { id: link['id'] });
    expect(await statusOf(link)).toBe('disabled');
  });

  it('“Can I move these links here?”', async () => {
    const { code } = await create();
    const rows = [
      { url: 'https://example.com/moved', code: 'a/long-code-of-another-service' },
      { url: 'https://example.com/other', code },
      { url: 'javascript:x' },
    ];
    expect(await use('check_import', { rows })).toMatchObject({
      quotaRemaining: expect.any(Number),
      results: [
        { verdict: 'new', code: 'a/long-code-of-another-service' },
        { verdict: 'taken', code, suffixedCode: `${String(code)}-2` },
        { verdict: 'rejected' },
      ],
    });
    const args = { id: 'import-of-an-assistant', rows };
    expect(await use('import_links', args)).toMatchObject({ created: 1 });
    const moved = await use('get_link', { code: `${ORIGIN}/a/long-code-of-another-service` });
    expect(moved.untrusted?.['url']).toBe('https://example.com/moved');
  });

  it('“Which links lead to example.org?”', async () => {
    const link = await create({ url: 'https://example.org/x' });
    const found = await use('find_links', { host: 'example.org', favorite: false });
    expect(codesIn(found)).toEqual([link['code']]);
    expect(await use('count_links', { host: 'example.org' })).toEqual({ count: 1 });
  });

  it('“How many people clicked this, and from where?”', async () => {
    const link = await create();
    await clickFrom([link, link], { c: 'DE' });
    const stats = await use('get_link_stats', {
      id: link['shortUrl'],
      range: '7d',
      dimensions: ['country', 'device'],
    });
    expect(stats).toMatchObject({
      totals: { clicks: 2 },
      untrusted: { dimensions: { country: [{ value: 'DE', clicks: 2 }] } },
    });
    expect(await refusal('get_link_stats', { id: link['id'], dimensions: ['county'] })).toContain(
      'dimensions must be names from',
    );
  });

  it('“Make a QR code of this link.”', async () => {
    const { content } = await send('get_qr_code', { id: (await create())['shortUrl'] });
    const [image] = Array.from<{ mimeType: string; data: string }>(Object(content));
    expect(image?.mimeType).toBe('image/png');
    expect(atob(image?.data ?? '').slice(1, 4)).toBe('PNG');
  });

  it('“Tidy up my tags.”', async () => {
    await create({ tags: ['summer'] });
    await create({ tags: ['sommer'] });
    await use('create_tag', { name: 'winter', color: 'blue' });
    expect(await refusal('merge_tags', { name: 'sommer', into: 'summer' })).toContain(
      'Links with this tag: 1',
    );
    await use('merge_tags', { name: 'Sommer', into: 'summer', expectedLinks: 1 });
    await use('update_tag', { name: 'summer', color: 'red' });
    expect((await send('delete_tag', { name: 'winter', expectedLinks: 1 })).isError).toBe(true);
    expect((await send('delete_tag', { name: 'winter', expectedLinks: 0 })).isError).toBe(
      undefined,
    );
    expect(await use('list_tags')).toEqual({
      data: [{ color: 'red', links: 2, untrusted: { name: 'summer' } }],
    });
  });

  it('“How many links may I still create this month?”', async () => {
    expect(await use('get_quota')).toMatchObject({
      plan: 'premium',
      quota: { limit: 1000, remaining: expect.any(Number) },
    });
  });

  it('“Archive what nobody has clicked.”', async () => {
    const [idle, used] = [await create({ tags: ['season'] }), await create({ tags: ['season'] })];
    await clickFrom([used], {});
    const filter = {
      tag: 'season',
      lastClickBefore: new Date(Date.now() - 90 * DAY_MS).toISOString(),
    };
    expect(codesIn(await use('find_links', filter))).toEqual([idle['code']]);
    const { matched } = await use('change_links', { action: 'archive', filter, dryRun: true });
    await use('change_links', { action: 'archive', filter, expectedCount: matched });
    expect(codesIn(await use('find_links', { tag: 'season' }))).toEqual([used['code']]);
  });
});

describe('the three tasks of assistants', () => {
  it('“A short link for X, with tag Y, that ends on Friday.”', async () => {
    const friday = new Date(Date.now() + 5 * DAY_MS).toISOString();
    const link = await create({ tags: ['Y'], expiresAt: friday });
    expect(link).toMatchObject({ expiresAt: friday, untrusted: { tags: ['Y'] } });
    const text = 'Did you mean `tags`?';
    expect(await refusal('create_link', { url: 'https://example.com', tag: 'Y' })).toContain(text);
  });

  it('“Which links got the most clicks from Germany last week?”', async () => {
    const [most, some, french] = [await create(), await create(), await create()];
    const lastWeek = Date.now() - 3 * DAY_MS;
    await clickFrom([most, most, some], { c: 'DE', t: lastWeek });
    await clickFrom([french, french, french], { c: 'FR', t: lastWeek });
    await clickFrom([some, some, some], { c: 'DE', t: lastWeek - 20 * DAY_MS });
    const [start, end] = [7, 1].map((days) => new Date(Date.now() - days * DAY_MS).toISOString());
    const report = await use('query_clicks', {
      country: 'DE',
      start: start?.slice(0, 10),
      end: end?.slice(0, 10),
    });
    const named = await use('query_clicks', { country: 'FR', linkIds: [some['id'], french['id']] });
    expect(named).toMatchObject({ totals: { clicks: 3 } });
    const found = Array.from<Result>(Object(report['data'])).map(({ linkId, clicks }) => [
      linkId,
      clicks,
    ]);
    expect(found).toEqual([
      [most['id'], 2],
      [some['id'], 1],
    ]);
    expect(await refusal('get_account_stats', { country: 'DE' })).toContain('`country` is unknown');
  });

  it('“Disable all links tagged old.”', async () => {
    const old = [await create({ tags: ['old'] }), await create({ tags: ['old'] })];
    const other = await create();
    const filter = { tag: 'old' };
    const disable = { action: 'disable', filter };
    expect(await refusal('change_links', disable)).toContain('dryRun: true first');
    expect(await refusal('change_links', { action: 'disable', ids: [old[0]?.['id']] })).toContain(
      'dryRun: true first',
    );
    const wrong = { ...disable, filter: { tags: ['old'] }, dryRun: true };
    expect(await refusal('change_links', wrong)).toContain('Did you mean `tag`?');
    const { matched } = await use('change_links', { ...disable, dryRun: true });
    expect(matched).toBe(2);
    expect(await refusal('change_links', { ...disable, expectedCount: 3 })).toContain('2');
    expect(await use('change_links', { ...disable, expectedCount: 2 })).toMatchObject({
      changed: 2,
    });
    expect(await Promise.all([...old, other].map(statusOf))).toEqual([
      'disabled',
      'disabled',
      'active',
    ]);
  });
});
