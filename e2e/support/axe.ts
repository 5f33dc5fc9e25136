import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { IS_SOAK } from './soak.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Checks = {
  /** All rules if it is empty. */
  rules?: string[];
  /** Whether contrast and sizes are checked, which take most of the time. */
  isDrawn?: boolean;
};

/**
 * Fails if axe finds an accessibility problem, and names each finding and its element. Outside
 * `npm test -- soak` it checks the contrast of samples only.
 */
export async function expectAccessible(
  page: Page,
  what = '',
  { rules = [], isDrawn = IS_SOAK }: Checks = {},
): Promise<void> {
  // A page has no heading until its code has loaded.
  await expect(page.locator('h1'), what).not.toHaveCount(0);
  let found = await findProblems(page, { rules, isDrawn }, what);
  // An element may have started to fade during the check, such as a message that closes after a few
  // seconds.
  if (found.length > 0) found = await findProblems(page, { rules, isDrawn }, what);
  expect(found, what).toEqual([]);
}

/** Arrow keys scroll a menu. The menu itself has the focus while no item is highlighted. */
const MENU = /^<[^>]* role="menu"/;

async function findProblems(page: Page, checks: Required<Checks>, what: string): Promise<string[]> {
  // Text has wrong contrast in the middle of a fade.
  await expect.poll(() => page.evaluate(countMoving), what).toBe(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(runAxe, { ...checks, everyText: IS_SOAK });
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
  everyText,
}: Required<Checks> & { everyText: boolean }): Promise<axe.Result[]> {
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
  const parts = popups.length === 0 ? [document.body] : popups;
  const texts = everyText ? parts : parts.flatMap(sampleTexts);
  if (texts.length === 0) return ofPage;
  return [...ofPage, ...(await find({ include: texts }, { runOnly: [contrast] }))];

  /**
   * Returns three texts of each color, size and background within `part`: most of the time of a
   * check is for contrast, which is the same for all of them.
   */
  function sampleTexts(part: HTMLElement): HTMLElement[] {
    const backgrounds = new Map<Element, string>();
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return '';
      const known = backgrounds.get(element);
      if (known !== undefined) return known;
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
      const around = backgroundOf(element.parentElement);
      const all = own === 'rgba(0, 0, 0, 0) none 1' ? around : `${around} / ${own}`;
      backgrounds.set(element, all);
      return all;
    };
    const groups = new Map<string, HTMLElement[]>();
    for (const element of part.querySelectorAll<HTMLElement>('*')) {
      if (!isTextVisible(element)) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const look = `${color} ${fontSize} ${fontWeight} ${backgroundOf(element)}`;
      const group = groups.get(look);
      if (group === undefined) groups.set(look, [element]);
      else group.push(element);
    }
    return [...groups.values()].flatMap((group) =>
      group.filter((_, at) => [0, group.length >> 1, group.length - 1].includes(at)),
    );
  }

  /** Axe does not check the contrast of disabled controls and of text that is not drawn. */
  function isTextVisible(element: HTMLElement): boolean {
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== '',
    );
    return (
      (hasText || element.matches('input, textarea, select')) &&
      element.closest(':disabled, [aria-disabled="true"]') === null &&
      element.offsetWidth > 1 &&
      element.checkVisibility({ visibilityProperty: true })
    );
  }
}
