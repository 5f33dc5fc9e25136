import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the menu of the account in the header. */
export async function openAccountMenu(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Account of / }).click();
  return page.getByRole('menu', { name: /^Account of / });
}

/** Logs out in the header. */
export async function logOut(page: Page): Promise<void> {
  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
}
