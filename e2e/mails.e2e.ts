import { SAMPLE_MAILS } from '#worker/testing/sample-mails.ts';
import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { expectAccessible } from './support/axe.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test(
  'every mail is readable in both color schemes, from 360 px',
  IN_SOAK,
  async ({ page, baseURL }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    // A page of the product whose policy allows pictures and inline styles.
    await page.goto('/dev/mailbox');
    for (const [name, { html }] of SAMPLE_MAILS) {
      await page.setContent(html.replace(BUILT_ORIGIN, baseURL ?? ''));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBe(360);
      const isLoaded = await page.evaluate(() => document.images[0]?.naturalWidth);
      expect(isLoaded, name).toBe(180);
      await page.emulateMedia({ colorScheme: 'light' });
      await expectAccessible(page, name, { rules: ['color-contrast', 'image-alt', 'link-name'] });
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page, `${name}, dark`, { rules: ['color-contrast'] });
    }
  },
);
