import { expectAccessible } from './support/axe.ts';
import { query, untilRow } from './support/database.ts';
import { expectLeftEdge } from './support/left-edge.ts';
import { makeLink } from './support/links.ts';
import { expect, test } from './support/test.ts';
import { documentedCommands, wordsOf } from '#scripts/checks/operations-commands.ts';
import { run } from '#scripts/shared/place.ts';

const CLICKS = `SELECT t.human, t.bot, t.prefetch, t.visitors FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ?`;
const COUNTS = `SELECT t.counts FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ?`;

test('a navigation to a new short link reaches its target and counts once', async ({ page }) => {
  const link = await makeLink(page.request);
  const answer = page.waitForResponse(link.shortUrl);
  await page.goto(link.shortUrl);
  await expect(page).toHaveURL(link.target);
  await expect(page).toHaveTitle('Elsewhere');
  const redirect = await answer;
  expect(redirect.status()).toBe(302);
  const headers = redirect.headers();
  expect(headers['location']).toBe(link.target);
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['x-robots-tag']).toBe('noindex');

  const counted = await untilRow(CLICKS, link.code);
  expect(counted).toEqual({ human: 1, bot: 0, prefetch: 0, visitors: 1 });
  expect(query(COUNTS, link.code)).toEqual([
    { counts: expect.stringContaining('["Desktop|Chrome|Windows",1]') },
  ]);
});

test('the product commands of docs/operations.md pass against the running product', async ({
  baseURL,
  request,
}) => {
  const { code: shortCode } = await makeLink(request);
  const asking = documentedCommands().filter((line) => line.startsWith('curl '));
  expect(asking.length).toBeGreaterThan(2);
  for (const line of asking) {
    const words = wordsOf(
      line.replace(/https:\/\/\w+\.example/, baseURL ?? '').replace('CODE', shortCode),
    );
    const { code, output } = await run('/usr/bin/env', [...words, '--fail', '--silent'], {
      quiet: true,
    });
    expect(code, `${line}: ${output}`).toBe(0);
  }
  expect(documentedCommands()).toContain('npm run smoke -- https://hop.example --key hop_live_…');
  const { code, output } = await run(process.execPath, ['scripts/deploy/smoke.ts', baseURL ?? ''], {
    quiet: true,
  });
  expect(output).toContain('ok    click counted once');
  expect(output).toContain('ok    account deleted');
  expect(code, output).toBe(0);
});

test('[T36] bots and prefetches are counted separately, HEAD and previews never', async ({
  page,
}) => {
  const { code } = await makeLink(page.request);
  const get = (headers: Record<string, string>) =>
    page.request.get(`/${code}`, { headers, maxRedirects: 0 });
  await get({
    'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  });
  await get({ 'Sec-Purpose': 'prefetch' });
  expect((await page.request.head(`/${code}`, { maxRedirects: 0 })).status()).toBe(302);
  await page.goto(`/${code}+`);
  await expect
    .poll(() => query(CLICKS, code))
    .toEqual([{ human: 0, bot: 1, prefetch: 1, visitors: 0 }]);
});

test('a preview shows the target before the visitor opens it', async ({ page }) => {
  const link = await makeLink(page.request, { target: 'http://bücher.example/läden?stadt=köln' });
  await page.goto(`/${link.code}+`);
  await expect(page.getByText('xn--bcher-kva.example').first()).toBeVisible();
  await expect(page.getByText('bücher.example').first()).toBeVisible();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts]
        .filter((font) => font.status === 'loaded')
        .map((font) => font.family.replaceAll('"', '')),
    );
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining(['Geist Variable', 'Geist Mono Variable']));
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Continue to bücher.example' }).click();
  await expect(page).toHaveURL(/^http:\/\/xn--bcher-kva\.example\//);
});

test('an unknown code and a mistyped page return a 404 as a page or as JSON', async ({
  page,
  watch,
  request,
}) => {
  watch.allow(/404 \(Not Found\)/);
  const answer = await page.goto('/NoSuchCode');
  expect(answer?.status()).toBe(404);
  expect(answer?.headers()['cache-control']).toContain('no-store');
  await expect(page.getByRole('heading', { level: 1, name: 'Link not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  );
  await expectAccessible(page);
  await expectLeftEdge(page, '/NoSuchCode');
  await page.goto('/dashboard/zzz');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page);
  await expectLeftEdge(page, '/dashboard/zzz');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL('/');
  const json = await request.get('/NoSuchCode', { headers: { Accept: 'application/json' } });
  expect(json.status()).toBe(404);
  expect(await json.json()).toMatchObject({
    code: 'not_found',
    error: expect.any(String),
    requestId: expect.any(String),
  });
});
