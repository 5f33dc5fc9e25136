/**
 * `npm run simulate`: 13 months of traffic through the queue's consumer and the jobs, on a local D1
 * and on a simulated clock, and what that costs at list price. Rows are D1's own figures. `--json`
 * prints one JSON object, `--profile NAME` runs one profile, `--months N` fewer months, `--batch N`
 * delivers at most N messages at once instead of 100.
 */
import { parseArgs } from 'node:util';
import { PRICES_READ_ON } from '#scripts/prices.ts';
import { BASE_CLICKS, estimate, type Estimate } from './simulate/estimate.ts';
import { formatEstimates } from './simulate/format.ts';
import { withLocalStorage } from './simulate/local-storage.ts';
import { PROFILES, type Profile } from './simulate/traffic.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    months: { type: 'string', default: '13' },
    batch: { type: 'string', default: '100' },
  },
});

const simulate = (profile: Profile): Promise<Estimate> =>
  withLocalStorage(async ({ vars }, run) => {
    const started = performance.now();
    const result = await run(profile.name, {
      months: Number(values.months),
      batch: Number(values.batch),
    });
    if (!values.json)
      console.error(
        `${profile.name}: done after ${Math.round((performance.now() - started) / 1000)} s`,
      );
    return estimate(profile, result, Number(vars['LOG_SAMPLE_RATE']));
  });

const chosen = PROFILES.filter(
  ({ name }) => values.profile === undefined || values.profile === name,
);
if (chosen.length === 0)
  throw new Error(
    `There is no profile "${values.profile}". Choose one of: ${PROFILES.map(({ name }) => name).join(', ')}.`,
  );
const estimates = await Promise.all(chosen.map(simulate));
console.log(
  values.json
    ? JSON.stringify({ pricesReadOn: PRICES_READ_ON, baseClicks: BASE_CLICKS, profiles: estimates })
    : formatEstimates(estimates),
);
