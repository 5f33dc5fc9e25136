import { expectAccessible } from './support/axe.ts';
import { tabTo } from './support/keyboard.ts';
import { linkRows, makeLink } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test(
  'a password is set in Edit, entered on a phone, and ended by another one',
  IN_SOAK,
  async ({ page, browser }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { headers } = await signInAsNew(page);
    const { code, shortUrl, target } = await makeLink(page.request, { headers });
    await page.goto('/dashboard');
    const row = linkRows(page).first();
    await row.getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Edit link' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit link' });
    await dialog.getByRole('button', { name: 'More options' }).press('Enter');
    await dialog.getByRole('button', { name: /^Password and click limit/ }).press('Enter');
    await expect(dialog.getByLabel('Password (optional)')).toBeVisible();
    await tabTo(page, /^Password \(optional\)/);
    await page.keyboard.type('open sesame');
    await dialog.getByRole('button', { name: 'Save link' }).press('Enter');
    await expect(row.getByText('Has a password')).toBeAttached();

    const visitor = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await expect.poll(async () => (await visitor.goto(shortUrl))?.status()).toBe(200);
    const field = visitor.getByLabel('Password');
    await expect(field).toBeFocused();
    await expectAccessible(visitor);
    await visitor.keyboard.type('wrong');
    await visitor.keyboard.press('Enter');
    await expect(visitor.getByRole('alert')).toHaveText(/That is not the password/);
    await expect(field).toBeFocused();
    await expectAccessible(visitor);
    await visitor.keyboard.type('open sesame');
    await visitor.keyboard.press('Enter');
    await expect(visitor).toHaveURL(target);
    await visitor.goto(shortUrl);
    await expect(visitor).toHaveURL(target);

    const data = { password: 'another' };
    expect((await page.request.patch(`/api/links/${code}`, { headers, data })).status()).toBe(200);
    await expect.poll(async () => (await visitor.goto(shortUrl))?.url()).toBe(shortUrl);
    await expect(visitor.getByLabel('Password')).toBeFocused();
    await visitor.close();
  },
);
