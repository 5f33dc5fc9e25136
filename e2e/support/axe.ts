import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { IS_SOAK } from './soak.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Checks = {
  /** All rules if it is empty. */
  rules?: string[];
  /** Whether `npm test` runs the check, too. It leaves out contrast and sizes, which take longest. */
  inGate?: boolean;
};

/**
 * Fails if axe finds an accessibility problem, and names each finding and its element. Does nothing
 * outside `npm test -- soak` unless `inGate` is set.
 */
export async function expectAccessible(
  page: Page,
  what = '',
  { rules = [], inGate = false }: Checks = {},
): Promise<void> {
  if (!IS_SOAK && !inGate) return;
  // A page has no heading until its code has loaded.
  await expect(page.locator('h1'), what).not.toHaveCount(0);
  let found = await findProblems(page, rules, what);
  // An element may have started to fade during the check, such as a message that closes after a few
  // seconds.
  if (found.length > 0) found = await findProblems(page, rules, what);
  expect(found, what).toEqual([]);
}

/** Arrow keys scroll a menu. The menu itself has the focus while no item is highlighted. */
const MENU = /^<[^>]* role="menu"/;

async function findProblems(page: Page, rules: string[], what: string): Promise<string[]> {
  // Text has wrong contrast in the middle of a fade.
  await expect.poll(() => page.evaluate(countMoving), what).toBe(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(runAxe, { rules, isDrawn: IS_SOAK });
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'scrollable-region-focusable' && MENU.test(html)))
      .map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/**
 * Counts running and pending transitions: a popup has `data-starting-style` until its transition
 * starts. Endless animations are excluded.
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

async function runAxe({
  rules,
  isDrawn,
}: {
  rules: string[];
  isDrawn: boolean;
}): Promise<axe.Result[]> {
  const { run }: typeof axe = Reflect.get(window, 'axe');
  const find = async (where: axe.ElementContext, options: axe.RunOptions): Promise<axe.Result[]> =>
    (await run(where, { resultTypes: ['violations'], ...options })).violations;
  if (rules.length > 0) return find(document, { runOnly: rules });
  const contrast = 'color-contrast';
  const off = { [contrast]: { enabled: false } };
  if (!isDrawn) return find(document, { rules: { ...off, 'target-size': { enabled: false } } });
  // What lies behind an open dialog or menu was checked before it opened.
  const isCovered =
    document.querySelector(
      ':is([aria-hidden="true"], [inert]) main, main:is([aria-hidden="true"], [inert])',
    ) !== null;
  const popups = [
    ...document.querySelectorAll<HTMLElement>(
      isCovered ? '[role="dialog"], [role="alertdialog"]' : '[role="menu"]',
    ),
  ];
  const ofPage = await find(document, { rules: off });
  const include = popups.length === 0 ? [document.body] : popups;
  return [...ofPage, ...(await find({ include }, { runOnly: [contrast] }))];
}
