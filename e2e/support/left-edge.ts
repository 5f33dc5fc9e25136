import { expect, type Page } from '@playwright/test';

/**
 * Checks that the heading of a page, and its link to the page above, begin where the frame begins. In
 * a preview, the arc before the heading does.
 * Returns the distance of that link from the top, and null if there is none.
 */
export async function expectLeftEdge(page: Page, path: string): Promise<number | null> {
  const { heading, frame, back } = await page.evaluate(() => {
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const link = boxOf('main p:has(+ h1) a, main p:has(+ header h1) a');
    return {
      heading: (boxOf('.hop') ?? boxOf('h1'))?.left ?? Number.NaN,
      frame: boxOf('footer p, footer .logo')?.left ?? Number.NaN,
      back: link === undefined ? null : { left: link.left, top: link.top },
    };
  });
  expect(Math.abs(heading - frame), `${path} begins at ${heading}`).toBeLessThanOrEqual(1);
  if (back === null) return null;
  expect(Math.abs(back.left - frame), `${path} leads back at ${back.left}`).toBeLessThanOrEqual(1);
  return back.top;
}
