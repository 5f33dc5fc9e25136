import { randomUUID } from 'node:crypto';
import { expectAccessible } from './support/axe.ts';
import { expectLeftEdge } from './support/left-edge.ts';
import { newAlias } from './support/links.ts';
import { signInAs } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('the pages that the Worker writes have the header of who looks at them', async ({
  page,
  watch,
}) => {
  watch.allow(/404 \(Not Found\)/);
  const main = page.getByRole('navigation', { name: 'Main' });
  await page.goto('/no-such-link');
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Blog' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'My URLs' })).toBeHidden();
  await expectAccessible(page, 'visitor');

  await signInAs(page, 'user');
  for (const path of ['/no-such-link', '/hono+']) {
    await page.goto(path);
    await expect(main.getByRole('link', { name: 'My URLs' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden();
    await expectAccessible(page, path);
    await expectLeftEdge(page, path);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test('a misspelled code leads to the link by its preview, and the menu opens', async ({
    page,
    browser,
    baseURL,
    watch,
  }) => {
    watch.allow(/404 \(Not Found\)/);
    const member = await browser.newPage(baseURL === undefined ? {} : { baseURL });
    const { headers } = await signInAs(member, 'user');
    const code = `${newAlias()}O`;
    const target = `http://elsewhere.example/${randomUUID()}`;
    const made = await member.request.post('/api/shorten', {
      headers,
      data: { longUrl: target, customCode: code, suggestOnTypo: true },
    });
    expect(made.status(), await made.text()).toBe(201);
    await member.close();

    await page.goto(`/${code.slice(0, -1)}0`);
    await expect(page.getByRole('heading', { name: 'Link not found' })).toBeVisible();
    await page.locator('summary').click();
    await expect(
      page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Pricing' }),
    ).toBeVisible();
    await page.locator('summary').click();
    await page.getByRole('link', { name: `${new URL(page.url()).host}/${code}` }).click();
    await page.getByRole('link', { name: 'Continue to elsewhere.example' }).click();
    await expect(page).toHaveURL(target);
  });
});
