import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from '@playwright/test';
import { createClient, dataOf, done } from '#cli/client.ts';
import { run } from '#scripts/shared/place.ts';
import { makeCli } from './support/cli.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

async function makeKey(
  page: Page,
  plan: 'free' | 'premium',
  scopes = ['links:read', 'links:write', 'analytics:read'],
) {
  const { headers } = await signInAsNew(page);
  if (plan === 'premium')
    expect((await page.request.post('/api/subscription', { headers, data: {} })).ok()).toBe(true);
  const answer = await page.request.post('/api/keys', {
    headers,
    data: { name: 'A client', scopes },
  });
  const { key, id }: { key: string; id: string } = await answer.json();
  return { key, revoke: () => page.request.delete(`/api/keys/${id}`, { headers }) };
}

test('the typed client creates, changes, lists, measures and deletes a link', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const { key } = await makeKey(page, 'free');
  const client = createClient(origin, key);
  const made = await dataOf(
    client.POST('/links', { body: { url: 'https://example.com/client', externalId: 'a/b' } }),
  );
  const path = { id: made.id };
  expect((await page.request.get(`/${made.code}`, { maxRedirects: 0 })).headers()['location']).toBe(
    made.url,
  );
  const changed = await dataOf(
    client.PATCH('/links/{id}', { params: { path }, body: { url: 'https://example.com/changed' } }),
  );
  expect(changed).toMatchObject({
    id: made.id,
    code: made.code,
    url: 'https://example.com/changed',
  });
  const { data } = await dataOf(
    client.GET('/links', { params: { query: { limit: 10, q: made.code } } }),
  );
  expect(data.map(({ id }) => id)).toEqual([made.id]);
  const query = { range: '7d' as const, dimensions: 'country' };
  const report = await dataOf(client.GET('/links/{id}/analytics', { params: { path, query } }));
  expect(report).toMatchObject({
    linkId: made.id,
    range: '7d',
    dimensions: { country: expect.any(Array) },
  });
  await done(client.DELETE('/links/{id}', { params: { path } }));
  await expect(dataOf(client.GET('/links/{id}', { params: { path } }))).rejects.toMatchObject({
    problem: { code: 'not_found', status: 404 },
  });
});

test('an MCP client uses the tools that its key allows', async ({ page, baseURL }) => {
  const { key } = await makeKey(page, 'free');
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', baseURL), { requestInit }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['create_link', 'find_links', 'disable_link']),
  );
  const made = await client.callTool({
    name: 'create_link',
    arguments: { url: 'https://example.com/mcp' },
  });
  expect(made.structuredContent).toMatchObject({
    status: 'active',
    untrusted: { url: 'https://example.com/mcp' },
  });
  const { id } = Object(made.structuredContent);
  const disabled = await client.callTool({ name: 'disable_link', arguments: { id } });
  expect(disabled.structuredContent).toMatchObject({ id, status: 'disabled' });
  expect(
    await client.callTool({ name: 'create_link', arguments: { url: 'nonsense' } }),
  ).toMatchObject({ isError: true });
  await client.close();
});

test('the command line stores a key and works with links', async ({ page, baseURL }) => {
  const origin = baseURL ?? '';
  const { key, revoke } = await makeKey(page, 'free');
  const { home, hop } = await makeCli();
  expect(await hop(['list'])).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('Log in first'),
  });
  expect((await hop(['login', '--server', origin], 'hop_live_wrong\n')).code).toBe(3);
  expect(await hop(['login', '--server', origin], `${key}\n`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('A client'),
  });
  const file = join(home, '.config', 'hop', 'config.json');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');

  const alias = `cli-${key.slice(-10)}`;
  const made = await hop(['shorten', 'https://example.com/cli', '--alias', alias]);
  expect(made).toEqual({ code: 0, out: `${origin}/${alias}\n`, err: '' });
  const taken = await hop(['shorten', 'https://example.com/', '--alias', alias, '--json']);
  expect([taken.code, taken.out, JSON.parse(taken.err).code]).toEqual([1, '', 'alias_taken']);
  const renamed = `${alias}-2`;
  const changed = await hop([
    'update',
    alias,
    '--to',
    'https://example.com/moved',
    '--code',
    renamed,
    '--disable',
    '--json',
  ]);
  expect(JSON.parse(changed.out)).toMatchObject({
    code: renamed,
    url: 'https://example.com/moved',
    status: 'disabled',
  });
  expect((await hop(['list', '--status', 'disabled'])).out).toContain(`${origin}/${renamed}`);
  const stats = await hop(['stats', `${origin}/${alias}`, '--range', '7d', '--json']);
  expect(JSON.parse(stats.out)).toMatchObject({
    code: renamed,
    range: '7d',
    totals: { clicks: 0 },
  });
  expect((await hop(['delete', alias])).code).toBe(2);
  expect((await hop(['delete', alias, '--yes'])).out).toContain('Deleted');
  expect((await hop(['stats', alias])).code).toBe(1);
  expect(await hop(['shorten'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('URL is missing.'),
  });
  await revoke();
  expect((await hop(['list'])).code).toBe(3);
});

test(
  'the command line imports a file, on every plan and without duplicates',
  IN_SOAK,
  async ({ page, baseURL }) => {
    const origin = baseURL ?? '';
    for (const plan of ['free', 'premium'] as const) {
      const { key } = await makeKey(page, plan);
      const { home, hop } = await makeCli();
      await hop(['login', '--server', origin], key);
      const file = join(home, 'links.csv');
      writeFileSync(
        file,
        'url\r\n"https://example.com/a,b"\r\nhttp://127.0.0.1/\r\nhttps://example.com/c\r\n',
      );
      const imported = await hop(['import', file, '--json']);
      expect(imported.code, imported.err).toBe(1);
      const { results, ...counts } = JSON.parse(imported.out);
      expect(counts, plan).toEqual({ created: 2, exists: 0, failed: 1 });
      expect(results[1]).toMatchObject({ verdict: 'rejected', code: null });
      const { out: listed } = await hop(['list']);
      expect(listed).toContain('https://example.com/a,b');
      const again = JSON.parse((await hop(['import', file, '--json'])).out);
      expect(again.results).toEqual(results);
      expect((await hop(['list'])).out).toBe(listed);
    }
  },
);

test(
  'the command line shortens with a key that can only create',
  IN_SOAK,
  async ({ page, baseURL }) => {
    const { key } = await makeKey(page, 'free', ['links:create']);
    const { hop } = await makeCli();
    await hop(['login', '--server', baseURL ?? ''], key);
    expect((await hop(['shorten', 'https://example.com/create'])).out).toContain(
      `${baseURL ?? ''}/`,
    );
    const refused = await hop(['shorten', 'https://example.com/', '--external-id', 'x']);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('externalId needs a key with the scope links:write.'),
    ]);
    expect((await hop(['list'])).code).toBe(3);
  },
);

test(
  'npm installs the command line from the server, and each command works',
  IN_SOAK,
  async ({ page, baseURL }) => {
    const origin = baseURL ?? '';
    const { key } = await makeKey(page, 'premium');
    const folder = mkdtempSync(join(tmpdir(), 'hop-install-'));
    const npm = ['npm', 'install', '--prefix', folder, '--cache', join(folder, 'cache')];
    const { code, output } = await run('/usr/bin/env', [...npm, `hop@${origin}/cli`], {
      quiet: true,
    });
    expect(code, output).toBe(0);
    const { home, hop } = await makeCli(join(folder, 'node_modules', 'hop', 'hop.js'));
    const ok = async (line: string) => {
      const ran = await hop(line.split(' '));
      expect([ran.code, ran.err], `hop ${line}`).toEqual([0, '']);
      return ran.out;
    };
    await hop(['login', '--server', origin], key);
    expect(await ok('whoami')).toContain('A client');
    const alias = `pack-${key.slice(-10)}`;
    await ok(
      `shorten https://example.com/ --alias ${alias} --title T --note N --tag x --utm-source mail --forward a`,
    );
    expect(JSON.parse(await ok(`get ${origin}/${alias}+ --json`))).toMatchObject({
      url: 'https://example.com/?utm_source=mail',
      title: 'T',
      note: 'N',
      tags: ['x'],
      forwardParams: ['a'],
    });
    expect(await ok('list --tag x --sort -clicks --max-clicks 0')).toContain(alias);
    expect(await ok('list --count --favorite')).toBe('0\n');
    await ok(`update ${alias} --favorite --add-tag y --remove-tag X --archived`);
    expect(await ok('list --count --favorite --archived --tag y')).toBe('1\n');
    expect(await ok(`stats ${alias}?qr=1`)).toContain('Visitors');
    expect(await ok('stats')).toContain('All links');
    expect(await ok(`qr ${alias}`)).toContain('▀');
    await ok(`qr ${alias} -o ${join(home, 'code.png')} --size 256`);
    expect(readFileSync(join(home, 'code.png')).subarray(1, 4).toString()).toBe('PNG');
    await ok(`export -o ${join(home, 'links.csv')}`);
    expect(readFileSync(join(home, 'links.csv'), 'utf8')).toContain(`"${origin}/${alias}"`);
    expect((await hop(['list', '--stauts', 'x', '--json'])).err).toContain('"code":"usage"');
    await ok(`delete ${alias} --yes`);
  },
);

test('the client for Python works with links', IN_SOAK, async ({ page, baseURL }) => {
  const origin = baseURL ?? '';
  const { code: without } = await run('/usr/bin/env', ['python3', '--version'], { quiet: true });
  test.skip(without !== 0, 'python3 is not installed here: the client for Python is not tried.');
  const { key } = await makeKey(page, 'free');
  const folder = mkdtempSync(join(tmpdir(), 'hop-python-'));
  const file = await page.request.get('/cli/hop.py');
  writeFileSync(join(folder, 'hop.py'), await file.text());
  writeFileSync(
    join(folder, 'try.py'),
    `from hop import Hop, HopError, pages
hop = Hop(${JSON.stringify(origin)}, ${JSON.stringify(key)})
for n in range(3):
    hop.create_link({"url": f"https://example.com/{n}", "tags": ["py"]})
links = list(pages(hop.list_links, tag="py", limit=1))
first = hop.update_link(links[0]["id"], {"title": "T"})
print(len(links), first["title"], hop.get_link_analytics(first["id"])["totals"]["clicks"])
print(hop.get_qr_code_png(first["id"], size=256)[1:4])
hop.delete_link(first["id"])
try:
    hop.get_link(first["id"])
except HopError as error:
    print(error.status, error.code)
`,
  );
  const args = ['python3', '-W', 'error', 'try.py'];
  const { output } = await run('/usr/bin/env', args, { cwd: folder, quiet: true });
  expect(output).toBe("3 T 0\nb'PNG'\n404 not_found\n");
});
