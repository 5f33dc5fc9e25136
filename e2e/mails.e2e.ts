import { SAMPLE_MAILS } from '#worker/testing/sample-mails.ts';
import { BUILT_ORIGIN } from '#contract/paths.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

for (const colorScheme of ['light', 'dark'] as const)
  test(`every mail is readable in the ${colorScheme} scheme, from 360 px`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [name, { html }] of SAMPLE_MAILS) {
      await page.goto('about:blank');
      await page.setContent(html.replace(BUILT_ORIGIN, baseURL ?? ''));
      await expectAccessible(page, name, ['color-contrast', 'image-alt', 'link-name']);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBe(360);
      const isLoaded = await page.evaluate(() => document.images[0]?.naturalWidth);
      expect(isLoaded, name).toBe(180);
    }
  });
