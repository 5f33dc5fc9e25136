import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails if axe finds an accessibility problem. The message names each finding and its element. `rules` limits the check. */
export async function expectAccessible(page: Page, what = '', rules: string[] = []): Promise<void> {
  // Until the code of a page has loaded, it has no heading.
  await expect(page.locator('h1'), what).not.toHaveCount(0);
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules.length > 0) builder.withRules(rules);
  let found = await findProblems(page, builder, what);
  // Something can begin to fade while axe works, such as a message that closes after a few seconds.
  if (found.length > 0) found = await findProblems(page, builder, what);
  expect(found, what).toEqual([]);
}

/** Arrow keys scroll a menu, which takes the focus as a whole while none of its items is highlighted. */
const MENU = /^<[^>]* role="menu"/;

async function findProblems(page: Page, builder: AxeBuilder, what: string): Promise<string[]> {
  // Halfway through a fade, text has the contrast of neither state.
  await expect.poll(() => page.evaluate(countMoving), what).toBe(0);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'scrollable-region-focusable' && MENU.test(html)))
      .map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Transitions that run or are about to: a popup keeps `data-starting-style` until its own begins. Endless animations do not count. */
function countMoving(): number {
  const running = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  return running.length + document.querySelectorAll('[data-starting-style]').length;
}
