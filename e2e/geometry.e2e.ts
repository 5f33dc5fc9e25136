import { HEADER_LINKS } from '#contract/site.ts';
import { linkRows, makeLink } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const STRIP_MAX = 56;
const FIRST_LINK_MAX = 270;
test.use({ viewport: { width: 1280, height: 800 } });

test(
  'plan and figures share a low strip, and the first link starts high',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'user');
    await page.goto('/dashboard');
    const row = linkRows(page).first();
    await expect(row).toBeVisible();
    expect((await row.boundingBox())?.y).toBeLessThanOrEqual(FIRST_LINK_MAX);
    const strip = page.locator('[data-strip]');
    expect((await strip.boundingBox())?.height).toBeLessThanOrEqual(STRIP_MAX);
    await expect(strip.getByRole('region', { name: 'Your subscription' })).toBeVisible();
  },
);

test(
  'a plan above 70 % of its quota has a separate card above the figures',
  IN_SOAK,
  async ({ page }) => {
    const { headers } = await signInAsNew(page);
    for (let made = 0; made < 18; made += 1) await makeLink(page.request, { headers });
    await page.goto('/dashboard');
    const plan = page.getByRole('region', { name: 'Your subscription' });
    await expect(plan).toContainText('You can create 7 more links.');
    const strip = page.locator('[data-strip]');
    await expect(strip.getByRole('region')).toHaveCount(0);
    expect((await strip.boundingBox())?.height).toBeLessThanOrEqual(STRIP_MAX);
  },
);

test(
  'the header has every entry from 1024 px on, and its menu has them below',
  IN_SOAK,
  async ({ page }) => {
    const labels = HEADER_LINKS.map(({ label }) => label);
    const own = ['My URLs', 'Analytics', 'Manage Blogs'];
    const header = page.getByRole('banner');
    const checkHeader = async (entries: readonly string[], inMenu: readonly string[]) => {
      await page.setViewportSize({ width: 1024, height: 800 });
      await page.goto('/about');
      const links = header.getByRole('navigation').getByRole('link');
      await expect(links).toHaveText([...entries]);
      for (const link of await links.all()) await expect(link).toBeVisible();
      const menu = header.getByRole('button', { name: 'Menu', exact: true });
      await expect(menu).toBeHidden();
      await page.setViewportSize({ width: 1023, height: 800 });
      await menu.click();
      await expect(page.getByRole('menuitem')).toHaveText([...inMenu]);
      await page.keyboard.press('Escape');
    };
    await checkHeader(labels, labels);
    const { email } = await signInAs(page, 'user');
    await checkHeader(own, [...own, ...labels]);
    await page.setViewportSize({ width: 1024, height: 800 });
    await expect(header.getByText(email)).toBeVisible();
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([...labels]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Account of ${email}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  },
);
