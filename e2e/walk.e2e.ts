import { PAGE_META } from '#contract/pages/page-meta.ts';
import { PAGES } from '#contract/pages/paths.ts';
import { expectAccessible } from './support/axe.ts';
import { expectLeftEdge } from './support/left-edge.ts';
import { appRequest, MEMBER_PAGES, pathOf } from './support/page-paths.ts';
import { signInAs } from './support/sign-in.ts';
import { IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/**
 * Returns the path after redirects: visitors cannot open member pages, and members cannot open
 * /auth.
 */
function destinationOf(page: (typeof PAGES)[number], who: 'visitor' | 'user' | 'admin'): RegExp {
  if (who === 'visitor' && MEMBER_PAGES.includes(page)) return /^\/auth$/;
  if (who !== 'visitor' && page === '/auth') return /^\/dashboard$/;
  return new RegExp(`^${pathOf(page)}$`);
}

/**
 * The pages to open: all for visitors, but outside `npm test -- soak` only one that sends them to
 * sign in; for members those that look different or redirect them.
 */
const PAGES_FOR: Record<'visitor' | 'user' | 'admin', readonly (typeof PAGES)[number][]> = {
  visitor: PAGES.filter((page) => IS_SOAK || page === '/dashboard' || !MEMBER_PAGES.includes(page)),
  user: ['/', ...(IS_SOAK ? (['/auth', '/pricing'] as const) : []), '/admin', ...MEMBER_PAGES],
  // The tests of admin.e2e.ts open and check /admin.
  admin: ['/', ...(IS_SOAK ? (['/admin'] as const) : []), '/admin/blogs'],
};

for (const who of ['visitor', 'user', 'admin'] as const) {
  test(`every page works, fits a phone and is accessible for ${who}`, async ({ page }) => {
    const expectToFit = async (pattern: string, width: number): Promise<void> => {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, `${pattern} is wider than ${width} px`).toBeLessThanOrEqual(0);
    };
    if (who !== 'visitor') await signInAs(page, who);
    const titles = new Set<string>();
    const checked = new Set<string>();
    const backTops: number[] = [];
    for (const [index, pattern] of PAGES_FOR[who].entries()) {
      // Each page is checked in one scheme and width, and in both by `npm test -- soak`.
      // web/styles/theme.test.ts checks the contrast of all colors in both.
      const [scheme, other] =
        index % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width: IS_SOAK ? 1280 : 360, height: 800 });
      const request = pattern === '/oauth/authorize' ? await appRequest(page) : '';
      await page.goto(pathOf(pattern) + request);
      await expect(page.getByRole('heading', { level: 1 }), pattern).toBeVisible();
      await expect
        .poll(() => new URL(page.url()).pathname, { message: pattern })
        .toMatch(destinationOf(pattern, who));
      await expect(page.locator('[aria-busy="true"]'), pattern).toHaveCount(0);
      await expect(page, pattern).toHaveTitle(/Hop/);
      titles.add(await page.title());
      // Several paths lead to the same page, for example member pages for a visitor.
      const { pathname } = new URL(page.url());
      if (checked.has(pathname)) continue;
      checked.add(pathname);
      if (IS_SOAK) await expectToFit(pattern, 1280);
      const top = await expectLeftEdge(page, pattern);
      if (top !== null) backTops.push(top);
      await expectToFit(pattern, 360);
      await expectAccessible(page, `${pattern}, ${scheme}`, { inGate: true });
      if (!IS_SOAK) continue;
      await page.emulateMedia({ colorScheme: other });
      await expectAccessible(page, `${pattern}, ${other}`, { rules: ['color-contrast'] });
    }
    // The link to the page above has the same place on every page.
    expect(Math.max(...backTops) - Math.min(...backTops)).toBeLessThanOrEqual(2);
    expect(titles.size, [...titles].join(', ')).toBeGreaterThan(PAGES_FOR[who].length / 2);
    expect(Object.keys(PAGE_META).toSorted()).toEqual([...PAGES].toSorted());
  });
}
