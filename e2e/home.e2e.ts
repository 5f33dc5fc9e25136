import type { Locator, Page } from '@playwright/test';
import { delayResponses } from './support/delay-responses.ts';
import { expect, test } from './support/test.ts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;

/** Expects all of `element` to be in the window without scrolling. */
const expectInView = (element: Locator, what: string) =>
  expect(element, what).toBeInViewport({ ratio: 1 });

/** What people ask of Home: the link that answers, where the first screen itself does not. */
const QUESTIONS = [
  { ask: 'what it is', answer: 'A free link shortener that counts clicks and follows nobody.' },
  { ask: 'whether it is free', answer: 'Free, no account needed.' },
  {
    ask: 'how to move from Bitly',
    link: 'Coming from Bitly?',
    answer: 'Drop the file that they export.',
  },
  { ask: 'whether it is private', link: 'What we store', answer: 'IP addresses, not even in logs' },
  { ask: 'whether it has an API', link: 'API', answer: '/api/v1/links -H' },
] as const;

for (const viewport of SIZES)
  test(`Home answers five questions with at most one press at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const { ask, answer, ...question } of QUESTIONS) {
      await page.goto('/');
      if ('link' in question) {
        const link = page.getByRole('main').getByRole('link', { name: question.link, exact: true });
        await expectInView(link.first(), ask);
        await link.first().click();
      }
      await expectInView(page.getByText(answer).first(), ask);
    }
  });

/** The part of Home that shows what a click would store. Its code loads on first use. */
const yourClick = (page: Page) => page.getByRole('region', { name: 'Your own click' });
const askButton = (page: Page) =>
  yourClick(page).getByRole('button', { name: 'Show me what my click would store' });
const expectAnswer = (page: Page) =>
  expect(yourClick(page).getByRole('status')).toContainText('Not stored');

test('Home shows what a click would store, also if asked before its code has loaded', async ({
  page,
}) => {
  const release = await delayResponses(page, /\/home-pitch-[^/]*\.js$/);
  await page.goto('/');
  await askButton(page).click();
  release();
  await expectAnswer(page);
});

test('a command for developers names this host and can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByRole('button', { name: 'Copy the command: Command line' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`npm install --global ${new URL(page.url()).origin}/cli`);
});

/** Makes a link, and returns the texts of the pieces into which its address was cut. */
async function piecesOf(page: Page): Promise<string[]> {
  await page.goto('/');
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node.parentElement?.ariaHidden === 'true' && node instanceof HTMLSpanElement)
          dataset['pieces'] = `${dataset['pieces'] ?? ''}${node.textContent}\n`;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByLabel('Destination').fill('https://elsewhere.example/a/long/way/to/one/page');
  await page.getByRole('button', { name: 'Shorten URL' }).click();
  const shortUrl = page.getByRole('region', { name: 'Your short URL' }).getByRole('link').first();
  await expect(shortUrl).toBeVisible();
  await expect(shortUrl).toHaveCSS('opacity', '1');
  // The pieces are gone when they have folded.
  await expect(shortUrl.locator('..').locator('[aria-hidden]')).toHaveCount(0);
  const pieces = await page.evaluate(() => document.documentElement.dataset['pieces'] ?? '');
  return pieces.split('\n').filter((piece) => piece !== '');
}

test.describe('motion on Home', () => {
  test('stands still where the visitor wants no motion', async ({ page }) => {
    expect(await piecesOf(page)).toEqual([]);
  });

  test.describe('wanted', () => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } });

    test('folds the long address into the seven letters of the code', async ({ page }) => {
      const pieces = await piecesOf(page);
      expect(pieces).toHaveLength(7);
      expect(pieces.join('')).toMatch(/^elsewhere\.example\/a\/lo/);
    });

    test('counts the clicks of the example up when it comes into view', async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 500 });
      await page.goto('/');
      const number = page.locator('.count-up');
      const shown = () =>
        number.evaluate((element) => Number(getComputedStyle(element).getPropertyValue('--count')));
      await expect.poll(shown).toBe(958);
      // A part that answers has its code, and then also watches the example.
      await askButton(page).dispatchEvent('click');
      await page.mouse.wheel(0, 1);
      await expectAnswer(page);
      await expect(number).not.toBeInViewport();
      await number.scrollIntoViewIfNeeded();
      await expect.poll(shown).toBeLessThan(958);
      await expect.poll(shown).toBe(958);
    });
  });
});
