import { PAGE_META } from '#contract/page-meta.ts';
import { PAGES } from '#contract/paths.ts';
import { expectAccessible } from './support/axe.ts';
import { query } from './support/database.ts';
import { signInAs } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** A real address for each page: the first post, and a link that the demo member owns. */
function addressOf(page: (typeof PAGES)[number]): string {
  const [post] = query('SELECT slug FROM posts WHERE published = 1 ORDER BY id LIMIT 1');
  const [link] = query(
    "SELECT code FROM links JOIN users ON users.id = links.user_id WHERE users.email = 'user@example.com' AND status = 'active' ORDER BY links.id LIMIT 1",
  );
  return page.replace(':slug', String(post?.['slug'])).replace(':code', String(link?.['code']));
}

/** Where a visitor (or, for /auth, a member) is sent instead. */
function endOf(page: (typeof PAGES)[number], who: 'visitor' | 'user' | 'admin'): RegExp {
  const membersOnly = ['/dashboard', '/analytics/:code', '/admin/blogs', '/settings'].includes(page);
  if (who === 'visitor' && membersOnly) return /^\/auth$/;
  if (who !== 'visitor' && page === '/auth') return /^\/dashboard$/;
  return new RegExp(`^${addressOf(page)}$`);
}

/** Both schemes for everyone's pages; each of the two kinds of member in one. */
const WALKS = [
  { who: 'visitor', scheme: 'light', width: 360 },
  { who: 'visitor', scheme: 'dark', width: 1280 },
  { who: 'user', scheme: 'light', width: 360 },
  { who: 'admin', scheme: 'dark', width: 1280 },
  { who: 'admin', scheme: 'light', width: 360 },
] as const;

for (const { who, scheme, width } of WALKS) {
  test(`every page as ${who}, ${scheme}, ${width} px: it opens, has a title and a heading, fits, is accessible, and nothing complains`, async ({
    page,
  }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    if (who !== 'visitor') await signInAs(page, who);
    const titles = new Set<string>();
    for (const pattern of PAGES) {
      await page.goto(addressOf(pattern));
      await expect(page.getByRole('heading', { level: 1 }), pattern).toBeVisible();
      await expect.poll(() => new URL(page.url()).pathname, { message: pattern }).toMatch(endOf(pattern, who));
      await expect(page.locator('[aria-busy="true"]'), pattern).toHaveCount(0);
      await expect(page, pattern).toHaveTitle(/Hop/);
      titles.add(await page.title());
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(over, `${pattern} is wider than the window`).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
    expect(titles.size, [...titles].join(', ')).toBeGreaterThan(PAGES.length / 2);
    expect(Object.keys(PAGE_META).toSorted()).toEqual([...PAGES].toSorted());
  });
}
