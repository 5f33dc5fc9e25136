import { expect, type Locator, type Page } from '@playwright/test';

export async function openAccountMenu(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Account of / }).click();
  return page.getByRole('menu', { name: /^Account of / });
}

export async function logOut(page: Page): Promise<void> {
  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
}
