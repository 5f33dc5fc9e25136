import { expectAccessible } from './support/axe.ts';
import { SCREENSHOTS } from './support/screenshot-list.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** The states beyond the pages that walk.e2e.ts opens: dialogs, results, errors and empty lists. */
const STATES = SCREENSHOTS.filter(
  ({ state, before, after }) => state !== 'full' || before !== undefined || after !== undefined,
);
/**
 * The number of states per test, chosen so that these tests take about as long as others. The
 * states of a new account stay together because their order matters.
 */
const PER_TEST = 9;

for (const who of [undefined, 'user', 'admin', 'new'] as const) {
  const states = STATES.filter((one) => one.who === who);
  const perTest = who === 'new' ? states.length : PER_TEST;
  for (let first = 0; first < states.length; first += perTest) {
    test(
      `every state is accessible for ${who ?? 'visitors'}, from number ${first + 1}`,
      IN_SOAK,
      async ({ page, context, watch }) => {
        watch.allow(/Failed to load resource/);
        const person =
          who === undefined
            ? undefined
            : await (who === 'new' ? signInAsNew(page) : signInAs(page, who));
        for (const [index, { name, state, path, before, after }] of states
          .slice(first, first + perTest)
          .entries()) {
          // Each state is checked in one color scheme. web/styles/theme.test.ts checks the contrast
          // of all colors in both.
          const colorScheme = index % 2 === 0 ? 'light' : 'dark';
          await test.step(`${name} ${state}, ${colorScheme}`, async () => {
            // A new tab is as slow as a page load, so it is used only where a state prepares
            // something that the next one must not see, or where only the fragment changes, which
            // loads no page.
            const tab =
              before === undefined && !path.includes('#') ? page : await context.newPage();
            await tab.emulateMedia({ colorScheme });
            const prepared = await before?.(tab, { ...person?.headers });
            await tab.goto(typeof prepared === 'string' ? prepared : path);
            await after?.(tab);
            await expect(tab.locator('[aria-busy="true"]')).toHaveCount(0);
            await expectAccessible(tab, `${name} ${state}, ${colorScheme}`);
            if (tab !== page) await tab.close();
          });
        }
      },
    );
  }
}
