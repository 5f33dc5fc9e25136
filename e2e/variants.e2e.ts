import type { ListedLink } from '#contract/links/links.ts';
import { expectAccessible } from './support/axe.ts';
import { untilRow } from './support/database.ts';
import { openByTab, openNewLink, pressByTab, tabTo } from './support/keyboard.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const OWN = 'http://elsewhere.example/own';
const OTHER = 'http://elsewhere.example/other';
const VARIANTS = [{ url: OTHER, weight: 40 }];

test(
  'variants are made, tested, followed, and one is chosen on a phone by keyboard',
  IN_SOAK,
  async ({ page }) => {
    const { keyboard } = page;
    await page.setViewportSize({ width: 360, height: 740 });
    const { headers } = await signInAsNew(page);
    const panel = await openNewLink(page);
    await keyboard.type(OWN);
    await pressByTab(page, /^More options$/);
    await openByTab(page, panel, 'Rules and variants', 'Add variant');
    await pressByTab(page, /^Add variant$/);
    await expect(panel.getByLabel('Destination of variant 1')).toBeFocused();
    await keyboard.type(OTHER);
    await tabTo(page, /^Share of variant 1/);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('40');
    await expect(panel.getByText('The destination above gets the other 60%.')).toBeVisible();
    await openByTab(page, panel, 'Test it', 'Visitor’s language');
    await pressByTab(page, /^Test link$/);
    await expect(panel.getByRole('region', { name: 'Test it' }).getByRole('status')).toHaveText(
      `The link divides its visitors: 60% to ${OWN}, 40% to ${OTHER} (302).`,
    );
    await expectAccessible(page);
    await tabTo(page, /^Create link$/);
    await keyboard.press('Enter');

    const result = page.getByRole('dialog', { name: 'Link created' });
    const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
    const code = new URL(shortUrl).pathname.slice(1);
    const follow = async (visitor: number): Promise<string> => {
      const answer = await page.request.get(shortUrl, {
        maxRedirects: 0,
        headers: { 'User-Agent': PERSON, 'CF-Connecting-IP': `198.51.100.${visitor}` },
      });
      return answer.headers()['location'] ?? '';
    };
    /** The first visitor of each destination. */
    const first = new Map<string, number>();
    let clicks = 0;
    for (; first.size < 2 && clicks < 60; clicks += 1) {
      const to = await follow(clicks);
      if (!first.has(to)) first.set(to, clicks);
    }
    expect([...first.keys()].toSorted()).toEqual([OTHER, OWN]);
    for (const [to, visitor] of first) expect(await follow(visitor)).toBe(to);
    await untilRow(
      'SELECT 1 FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ? AND human = ?',
      code,
      clicks + first.size,
    );

    await page.goto(`/analytics/${code}`);
    const rowOf = (url: string) => page.getByRole('listitem').filter({ hasText: url.slice(7) });
    await expect(page.getByRole('heading', { name: 'Destinations' })).toBeVisible();
    await expect(rowOf(OWN)).toContainText('Default60% set');
    await expect(rowOf(OTHER)).toContainText('40% set');
    const read = async (): Promise<Pick<ListedLink, 'long_url' | 'variants'>> => {
      const answer = await page.request.get(`/api/links/${code}`, { headers });
      const { long_url, variants }: ListedLink = await answer.json();
      return { long_url, variants };
    };
    await tabTo(page, /^Make elsewhere\.example\/other the destination$/);
    await keyboard.press('Enter');
    await expect(page.getByText('All visitors now get elsewhere.example/other.')).toBeVisible();
    await expect(rowOf(OWN)).toContainText('Earlier');
    expect(await read()).toEqual({ long_url: OTHER, variants: [] });
    await expectAccessible(page);
    await keyboard.press('F6');
    await tabTo(page, /^Undo$/);
    await keyboard.press('Enter');
    await expect(page.getByText('The link divides its visitors again.')).toBeVisible();
    await expect(rowOf(OTHER)).toContainText('40% set');
    expect(await read()).toEqual({ long_url: OWN, variants: VARIANTS });
  },
);
