import { readArguments } from '#scripts/shared/arguments.ts';
import { randomInt } from 'node:crypto';
import { ensureChromium } from './chromium.ts';
import { run, type Variables } from '#scripts/shared/place.ts';

/** The files of property tests, and how many properties share the time of each. */
const MODELS = {
  'worker/redirect/edge-consistency.test.ts': 2,
  'worker/abuse/holds-model.test.ts': 1,
  'worker/auth/takeover-model.test.ts': 1,
  'worker/plans/quota-model.test.ts': 1,
  'worker/webhooks/model.test.ts': 1,
  'worker/domains/saas/tenants.test.ts': 1,
  'worker/redirect/rules.test.ts': 2,
};
const CLICKS = 'worker/clicks/fold/model.test.ts';
const HISTORIES = 25;
const { values } = readArguments({
  usage: 'npm test -- soak [options]',
  about: `Runs all browser tests, also those that the gate leaves out: every state of every page with axe,
both zooms, both color schemes. Then runs the model-based tests with new seeds. Prints each seed; a failure names the one that replays it.`,
  options: {
    minutes: { type: 'string', value: 'N', default: '10', meaning: 'for how long the models run' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');

const holds = async (file: string, env: Variables): Promise<boolean> =>
  (await run('vitest', ['run', '--project', 'worker', file], { env })).code === 0;

async function soak(file: string, properties: number): Promise<boolean> {
  const held = await holds(file, { HOP_SOAK_MINUTES: String(minutes / properties) });
  if (!held)
    console.error(
      `\nReplay with the seed named above: HOP_SEED=… npx vitest run --project worker ${file}`,
    );
  return held;
}

/** Each run of the click model takes one seed. */
async function soakClicks(): Promise<boolean> {
  const end = Date.now() + minutes * 60_000;
  let histories = 0;
  do {
    const env = { CLICK_SEED: String(randomInt(2 ** 31)), CLICK_RUNS: String(HISTORIES) };
    console.log(`clicks: seed ${env.CLICK_SEED}, ${HISTORIES} histories`);
    if (!(await holds(CLICKS, env))) {
      console.error(
        `\nReplay: CLICK_SEED=${env.CLICK_SEED} CLICK_RUNS=${HISTORIES} npx vitest run --project worker ${CLICKS}`,
      );
      return false;
    }
    histories += HISTORIES;
  } while (Date.now() < end);
  console.log(`clicks: ${histories} histories held`);
  return true;
}

const pages = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
  env: { CHROMIUM: await ensureChromium(), HOP_SOAK: '1' },
});
const results = await Promise.all([
  ...Object.entries(MODELS).map(([file, properties]) => soak(file, properties)),
  soakClicks(),
]);
process.exitCode = pages.code === 0 && results.every(Boolean) ? 0 : 1;
