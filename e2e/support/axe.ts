import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails if axe finds an accessibility problem. The message names each finding and its element. `rules` limits the check. */
export async function expectAccessible(page: Page, what = '', rules: string[] = []): Promise<void> {
  // Until the code of a page has loaded, it has no heading.
  await expect(page.locator('h1'), what).not.toHaveCount(0);
  // Halfway through a fade, text has the contrast of neither state.
  await expect.poll(() => page.evaluate(countMoving), what).toBe(0);
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules.length > 0) builder.withRules(rules);
  const { violations } = await builder.analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
  expect(found, what).toEqual([]);
}

/** Transitions that run or are about to: a popup keeps `data-starting-style` until its own begins. Endless animations do not count. */
function countMoving(): number {
  const running = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  return running.length + document.querySelectorAll('[data-starting-style]').length;
}
