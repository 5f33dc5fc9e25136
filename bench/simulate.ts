import { readArguments } from '#scripts/shared/arguments.ts';
import { PRICES_READ_ON } from '#scripts/generate/prices.ts';
import { BASE_CLICKS, estimate, type Estimate } from './simulate/estimate.ts';
import { formatEstimates } from './simulate/format.ts';
import { simulateProfile } from './simulate/simulate-profile.ts';
import { PROFILES, type Profile } from './simulate/traffic.ts';

const { values } = readArguments({
  usage: 'npm run simulate -- [options]',
  about: `13 months of traffic through the queue's consumer and the jobs, on a local D1 and on a simulated
clock, and what that costs at list price. Rows are D1's own figures.`,
  options: {
    profile: { type: 'string', value: 'NAME', meaning: 'one profile, for example typical' },
    months: { type: 'string', value: 'N', default: '13', meaning: 'months' },
    batch: { type: 'string', value: 'N', default: '100', meaning: 'messages delivered at once' },
    json: { type: 'boolean', default: false, meaning: 'one JSON object' },
    short: { type: 'boolean', default: false, meaning: 'a month of the profile viral' },
  },
});
const months = values.short ? 1 : Number(values.months);
const profileName = values.short ? 'viral' : values.profile;

async function simulate(profile: Profile): Promise<Estimate> {
  const started = performance.now();
  const result = await simulateProfile(profile.name, { months, batch: Number(values.batch) });
  if (!values.json)
    console.error(
      `${profile.name}: done after ${Math.round((performance.now() - started) / 1000)} s`,
    );
  return estimate(profile, result);
}

const chosen = PROFILES.filter(({ name }) => profileName === undefined || profileName === name);
if (chosen.length === 0)
  throw new Error(
    `There is no profile "${profileName}". Choose one of: ${PROFILES.map(({ name }) => name).join(', ')}.`,
  );
const estimates = await Promise.all(chosen.map(simulate));
console.log(
  values.json
    ? JSON.stringify({ pricesReadOn: PRICES_READ_ON, baseClicks: BASE_CLICKS, profiles: estimates })
    : formatEstimates(estimates),
);
