import type { Locator, Page } from '@playwright/test';
import { delayResponses } from './support/delay-responses.ts';
import { IN_SOAK, IS_SOAK } from './support/soak.ts';
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

for (const viewport of IS_SOAK ? SIZES : SIZES.slice(0, 1))
  test(`Home answers five questions with at most one press at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    const below = page.getByRole('heading', { name: 'A poster that reports back' });
    const topBelow = () =>
      below.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
    const top = await topBelow();
    for (const { ask, answer, ...question } of QUESTIONS) {
      await page.evaluate(() => window.scrollTo(0, 0));
      if ('link' in question) {
        const link = page.getByRole('main').getByRole('link', { name: question.link, exact: true });
        await expectInView(link.first(), ask);
        await link.first().click();
      }
      await expectInView(page.getByText(answer).first(), ask);
    }
    // The picture of live clicks above it has the height that was kept for it.
    await below.scrollIntoViewIfNeeded();
    await expect(page.getByRole('heading', { name: 'Every click, as it lands' })).toBeVisible();
    expect(await topBelow()).toBe(top);
  });

/** The part of Home that shows what a click would store. Its code loads on first use. */
const yourClick = (page: Page) => page.getByRole('region', { name: 'Your own click' });
const askButton = (page: Page) =>
  yourClick(page).getByRole('button', { name: 'Show me what my click would store' });
const expectAnswer = (page: Page) =>
  expect(yourClick(page).getByRole('status')).toContainText('Not stored');

test('the parts below answer, even if pressed before their code has loaded', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const release = await delayResponses(page, /\/home-pitch-[^/]*\.js$/);
  await page.goto('/');
  await askButton(page).click();
  release();
  await expectAnswer(page);
  await page.getByRole('button', { name: 'Copy the command: Command line' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`npm install --global ${new URL(page.url()).origin}/cli`);
});

/** Notes the pieces into which the address of a new link is cut, and the motion of its arc. */
const watchMotion = (page: Page) =>
  page.evaluate(() => {
    const motion: { pieces: string[]; arc: string[] } = { pieces: [], arc: [] };
    Reflect.set(window, 'hopMotion', motion);
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node.parentElement?.ariaHidden === 'true' && node instanceof HTMLSpanElement)
          motion.pieces.push(node.textContent);
    }).observe(document.body, { childList: true, subtree: true });
    addEventListener(
      'animationstart',
      ({ animationName, target }) => {
        if (!(target instanceof SVGElement) || target.closest('[data-motion]') === null) return;
        motion.arc.push(`${animationName} ${getComputedStyle(target).animationDuration}`);
      },
      true,
    );
  });

/** Makes a link on Home, waits until it stands still, and returns what has moved. */
async function motionOfNewLink(page: Page): Promise<{ pieces: string[]; arc: string[] }> {
  await page.goto('/');
  await watchMotion(page);
  await page.getByLabel('Destination').fill('https://elsewhere.example/a/long/way/to/one/page');
  await page.getByRole('button', { name: 'Shorten URL' }).click();
  const result = page.getByRole('region', { name: 'Your short URL' });
  const shortUrl = result.getByRole('link').first();
  await expect(shortUrl).toBeVisible();
  await expect(shortUrl).toHaveCSS('opacity', '1');
  // The pieces are gone when they have folded.
  await expect(shortUrl.locator('..').locator('[aria-hidden]')).toHaveCount(0);
  const arc = result.locator('svg[data-motion]');
  await expect
    .poll(() => arc.evaluate((svg) => svg.getAnimations({ subtree: true }).length))
    .toBe(0);
  await expect(arc.locator('.fill-landing')).toHaveCSS('opacity', '1');
  await expect(arc.locator('path')).toHaveCSS('stroke-dasharray', 'none');
  return page.evaluate(() => Reflect.get(window, 'hopMotion'));
}

test.describe('motion on Home', () => {
  test('a new link stands still where the visitor wants no motion', IN_SOAK, async ({ page }) => {
    expect(await motionOfNewLink(page)).toEqual({ pieces: [], arc: [] });
  });

  test.describe('wanted', () => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } });

    test(
      'a new link’s address folds into the letters of its code, and its arc lands',
      IN_SOAK,
      async ({ page }) => {
        const { pieces, arc } = await motionOfNewLink(page);
        expect(pieces).toHaveLength(7);
        expect(pieces.join('')).toMatch(/^elsewhere\.example\/a\/lo/);
        expect(arc).toEqual(['draw 0.18s', 'land 0.12s']);
      },
    );

    test(
      'the clicks of the example on Home count up when it comes into view',
      IN_SOAK,
      async ({ page }) => {
        await page.setViewportSize({ width: 360, height: 500 });
        await page.goto('/');
        const number = page.locator('.count-up');
        const shown = () =>
          number.evaluate((element) =>
            Number(getComputedStyle(element).getPropertyValue('--count')),
          );
        await expect.poll(shown).toBe(958);
        // A part that answers has its code, and then also watches the example.
        await askButton(page).dispatchEvent('click');
        await page.mouse.wheel(0, 1);
        await expectAnswer(page);
        await expect(number).not.toBeInViewport();
        await number.scrollIntoViewIfNeeded();
        await expect.poll(shown).toBeLessThan(958);
        await expect.poll(shown).toBe(958);
      },
    );
  });
});
