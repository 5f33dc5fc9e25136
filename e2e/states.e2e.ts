import { expectAccessible } from './support/axe.ts';
import { SCREENSHOTS } from './support/screenshot-list.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/**
 * States that only `npm test -- soak` opens. Other tests check them on their way, or they differ
 * from a tested state only in words and figures.
 */
const IN_SOAK_ONLY = new Set([
  // The walk, account, mail-links, redirect and blog tests check these.
  'home empty',
  'admin-visitor error',
  'admin error',
  'auth-mail-sent full',
  'auth-confirm error',
  'auth-reset full',
  'unknown-link error',
  'unknown-page error',
  'blog-post error',
  'admin-log-entry full',
  'admin-report full',
  'analytics empty',
  'upgrade-dialog full',
  'bulk-dialog full',
  'downgrade-dialog full',
  'settings-downgrade full',
  'settings-code full',
  'sign-out-dialog full',
  'delete-dialog full',
  'sessions-dialog full',
  'api-key-dialog full',
  'webhook-dialog full',
  // These have the same message and Retry button as "dashboard error", "analytics error" and
  // "admin-stats error".
  'blogs error',
  'overview error',
  'analytics-filter error',
  'sessions error',
  'api-keys error',
  'webhooks error',
  'auth-confirm-unanswered error',
  'admin-blogs error',
  'admin-users error',
  'admin-report error',
  'admin-system error',
  // These differ from a tested state only in words, figures or rows.
  'home-limit error',
  'sessions empty',
  'home-remove-browser-links full',
  'auth-confirm empty',
  'auth-confirm-signed-in full',
  'preview-arabic full',
  'blogs empty',
  'dashboard-arabic full',
  'dashboard-claim full',
  'analytics-arabic full',
  'links-edit full',
  'links-trash full',
  'delete-link-dialog full',
  'overview empty',
  'admin-users-filtered empty',
  'admin-users-long full',
  'admin-blogs empty',
]);
const nameOf = ({ name, state }: { name: string; state: string }): string => `${name} ${state}`;
const unknown = [...IN_SOAK_ONLY].filter(
  (one) => !SCREENSHOTS.some((screenshot) => nameOf(screenshot) === one),
);
if (unknown.length > 0) throw new Error(`There is no state ${unknown.join(', ')}.`);

/** The states beyond the pages that walk.e2e.ts opens: dialogs, results, errors and empty lists. */
const STATES = SCREENSHOTS.filter(
  ({ state, before, after }) => state !== 'full' || before !== undefined || after !== undefined,
);
const WANTED = IS_SOAK ? STATES : STATES.filter((one) => !IN_SOAK_ONLY.has(nameOf(one)));
/**
 * The number of states per test, chosen so that these tests take about as long as others. The
 * states of a new account stay together because their order matters.
 */
const PER_TEST = 9;

for (const who of [undefined, 'user', 'admin', 'new'] as const) {
  const states = WANTED.filter((one) => one.who === who);
  const perTest = who === 'new' ? states.length : PER_TEST;
  for (let first = 0; first < states.length; first += perTest) {
    test(`every state is accessible for ${who ?? 'visitors'}, from number ${first + 1}`, async ({
      page,
      context,
      watch,
    }) => {
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
          const tab = before === undefined && !path.includes('#') ? page : await context.newPage();
          await tab.emulateMedia({ colorScheme });
          const prepared = await before?.(tab, { ...person?.headers });
          await tab.goto(typeof prepared === 'string' ? prepared : path);
          await after?.(tab);
          await expect(tab.locator('[aria-busy="true"]')).toHaveCount(0);
          await expectAccessible(tab, `${name} ${state}, ${colorScheme}`);
          if (tab !== page) await tab.close();
        });
      }
    });
  }
}
