import { inActions } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { newAlias } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { untilStarted } from './support/until-started.ts';

test(
  'a link is found by the middle of its code in two actions, and copied in two more',
  IN_SOAK,
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { headers } = await signInAsNew(page);
    const code = newAlias();
    for (const customCode of [code, newAlias()])
      await page.request.post('/api/shorten', {
        headers,
        data: { longUrl: 'https://example.com/', customCode },
      });
    await page.goto('/pricing');
    await untilStarted(page);
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const options = palette.getByRole('option');
    const middle = code.match(/[a-z0-9]{6,}/i)?.[0].slice(1) ?? '';
    await inActions(
      2,
      'find a link by the middle of its code',
      () => page.keyboard.press('Control+k'),
      async () => {
        await expect(palette.getByRole('combobox')).toBeFocused();
        await expect(options.filter({ hasText: 'Create link' })).toBeVisible();
        await expectAccessible(page);
        await page.keyboard.type(middle);
      },
    );
    await expect(options).toHaveCount(1);
    await expect(options).toContainText(code);

    await page.keyboard.press('Enter');
    await expect(options.first()).toHaveText('Open analytics');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
    await expect(page.getByText('Copied.')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/${code}$`),
    );
  },
);

test(
  'the palette creates, changes the theme and leads to pages; ? lists the keys',
  IN_SOAK,
  async ({ page }) => {
    await signInAsNew(page);
    await page.goto('/dashboard');
    await expect(page.getByText('No URLs yet')).toBeVisible();
    const choose = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('combobox').fill(words);
      await expect(palette.getByRole('option')).toHaveCount(1);
      await page.keyboard.press('Enter');
      await expect(palette).toBeHidden();
    };
    await choose('dark');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await choose('create');
    await expect(page.getByRole('dialog', { name: 'New link' })).toBeVisible();
    await page.keyboard.press('Escape');
    await choose('webhooks');
    await expect(page).toHaveURL('/settings/webhooks');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Create a link');
    await expectAccessible(page);
  },
);
