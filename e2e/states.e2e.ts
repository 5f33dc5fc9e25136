import { expectAccessible } from './support/axe.ts';
import { SCREENSHOTS } from './support/screenshot-list.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** What the product shows beyond the pages that walk.e2e.ts opens: dialogs, results, errors and empty lists. */
const STATES = SCREENSHOTS.filter(({ state, before, after }) => state !== 'full' || before !== undefined || after !== undefined);

for (const who of [undefined, 'user', 'admin', 'new'] as const) {
  test(`every state is accessible for ${who ?? 'visitors'}`, async ({ page, context, watch }) => {
    test.setTimeout(180_000);
    // The states of a page include its failures.
    watch.allow(/Failed to load resource/);
    const person = who === undefined ? undefined : await (who === 'new' ? signInAsNew(page) : signInAs(page, who));
    for (const [index, { name, state, path, before, after }] of STATES.filter((one) => one.who === who).entries()) {
      // Each state in one scheme. web/styles/theme.test.ts checks the contrast of all colours in both.
      const colorScheme = index % 2 === 0 ? 'light' : 'dark';
      await test.step(`${name} ${state}, ${colorScheme}`, async () => {
        const tab = await context.newPage();
        await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const prepared = await before?.(tab, { ...person?.headers });
        await tab.goto(typeof prepared === 'string' ? prepared : path);
        await after?.(tab);
        await expect(tab.locator('[aria-busy="true"]')).toHaveCount(0);
        await expectAccessible(tab, `${name} ${state}, ${colorScheme}`);
        await tab.close();
      });
    }
  });
}
