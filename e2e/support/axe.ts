import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails if axe finds an accessibility problem. The message names each finding and its element.
 * `rules` limits the check.
 */
export async function expectAccessible(page: Page, what = '', rules: string[] = []): Promise<void> {
  // Until the code of a page has loaded, it has no heading.
  await expect(page.locator('h1'), what).not.toHaveCount(0);
  let found = await findProblems(page, rules, what);
  // Something can begin to fade while axe works, such as a message that closes after a few seconds.
  if (found.length > 0) found = await findProblems(page, rules, what);
  expect(found, what).toEqual([]);
}

/**
 * Arrow keys scroll a menu, which takes the focus as a whole while none of its items is
 * highlighted.
 */
const MENU = /^<[^>]* role="menu"/;

async function findProblems(page: Page, rules: string[], what: string): Promise<string[]> {
  // Halfway through a fade, text has the contrast of neither state.
  await expect.poll(() => page.evaluate(countMoving), what).toBe(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(runAxe, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'scrollable-region-focusable' && MENU.test(html)))
      .map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/**
 * Transitions that run or are about to: a popup keeps `data-starting-style` until its own begins.
 * Endless animations do not count.
 */
function countMoving(): number {
  const running = document
    .getAnimations()
    .filter(
      ({ playState, effect }) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
    );
  return running.length + document.querySelectorAll('[data-starting-style]').length;
}

/** Runs in the page. */
async function runAxe(rules: string[]): Promise<axe.Result[]> {
  const { run }: typeof axe = Reflect.get(window, 'axe');
  const find = async (where: axe.ElementContext, options: axe.RunOptions): Promise<axe.Result[]> =>
    (await run(where, { resultTypes: ['violations'], ...options })).violations;
  if (rules.length > 0) return find(document, { runOnly: rules });
  // Contrast is most of the work. What lies behind an open dialog or menu was checked before it
  // opened.
  const isCovered =
    document.querySelector(
      ':is([aria-hidden="true"], [inert]) main, main:is([aria-hidden="true"], [inert])',
    ) !== null;
  const popups = [
    ...document.querySelectorAll<HTMLElement>(
      isCovered ? '[role="dialog"], [role="alertdialog"]' : '[role="menu"]',
    ),
  ];
  if (popups.length === 0) return find(document, {});
  const contrast = 'color-contrast';
  const ofPage = await find(document, { rules: { [contrast]: { enabled: false } } });
  return [...ofPage, ...(await find({ include: popups }, { runOnly: [contrast] }))];
}
