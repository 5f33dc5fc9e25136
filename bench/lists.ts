import { openDb } from '#worker/db/client.ts';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { myLinksQuery } from '#contract/links/links.ts';
import { listLinks } from '#worker/links/list/list-links.ts';
import { applyMigrations } from '#scripts/backup/migrations.ts';
import { readArguments } from '#scripts/shared/arguments.ts';
import { withLocalEnv } from '#scripts/shared/local-env.ts';
import { fillAccount } from '#worker/testing/large-account.ts';
import { median } from './redirect/median.ts';
import { meterStorage, totalOf } from './simulate/meter.ts';

const { values } = readArguments({
  usage: 'npm run bench -- lists [options]',
  about: `Measures the lists of an account with 100,000 links beside those of one with 100. The requests of
both take turns, and the ratio is that of the medians: it depends little on the machine.`,
  options: {
    rounds: { type: 'string', value: 'N', default: '41', meaning: 'requests for each list' },
    links: { type: 'string', value: 'N', default: '100000', meaning: 'links of the large account' },
    short: { type: 'boolean', default: false, meaning: '1,000 links, one round' },
  },
});
const ROUNDS = values.short ? 1 : Number(values.rounds);
const LARGE = { id: 'large', prefix: 'big', links: values.short ? 1_000 : Number(values.links) };
const SMALL = { id: 'small', prefix: 'few', links: 100 };
const SORTS = ['-created', '-clicks', 'last_click', 'code'];
const FILTERS = [
  '',
  'status=archived',
  'status=active',
  'status=disabled',
  'status=expired',
  'favorite=1',
  'tag=Often',
  'tag=seldom',
  'host=h7.example',
  'q=w12',
  'q=even1',
  'q=seld',
  'q=w12+even0&tag=often',
  'min_clicks=9900',
  'from=2020-01-02T00:00:00Z&to=2020-01-05T00:00:00Z',
  'host=h8.example&tag=often&status=active',
  'status=trash',
];
const ORIGINS = {
  app: 'https://hop.example',
  short: 'https://hop.example',
  domains: NO_DOMAINS,
};

await withLocalEnv(null, async ({ DB, LINKS }, runQueries) => {
  await applyMigrations(DB);
  for (const { id, prefix, links } of [LARGE, SMALL])
    await DB.batch(
      fillAccount(id, links, prefix).map(({ query, params }) => DB.prepare(query).bind(...params)),
    );
  const { env, measure } = meterStorage({ run: runQueries, links: LINKS, vars: {} });
  const db = openDb(env.DB);
  const waits: Promise<unknown>[] = [];
  const context = {
    db,
    origins: ORIGINS,
    now: Date.now(),
    waitUntil: (work: Promise<unknown>): void => void waits.push(work),
  };
  const run = async (userId: string, text: string): Promise<{ ms: number; rows: number }> => {
    const query = myLinksQuery.parse(Object.fromEntries(new URLSearchParams(text)));
    const start = performance.now();
    const page = await listLinks(context, userId, query);
    return { ms: performance.now() - start, rows: page?.rows.length ?? 0 };
  };
  console.log(
    `| list | 100 links, ms | rows | ${LARGE.links} links, ms | rows | rows read | ratio |\n|---|---|---|---|---|---|---|`,
  );
  let slower = 0;
  for (const [at, filter] of FILTERS.entries())
    for (const sort of ['-created', SORTS[1 + (at % 3)] ?? '']) {
      const text = `sort=${sort}&${filter}`;
      const times: { large: number[]; small: number[] } = { large: [], small: [] };
      let [few, many] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [large, small] = [await run(LARGE.id, text), await run(SMALL.id, text)];
        times.large.push(large.ms);
        times.small.push(small.ms);
        [many, few] = [large.rows, small.rows];
      }
      const { rowsRead } = totalOf(await measure('list', () => run(LARGE.id, text)));
      const [large, small] = [median(times.large), median(times.small)];
      if (large > 2 * small) slower += 1;
      console.log(
        `| \`${text}\` | ${small.toFixed(2)} | ${few} | ${large.toFixed(2)} | ${many} | ${rowsRead} | ${(large / small).toFixed(2)} |`,
      );
    }
  await Promise.all(waits);
  console.log(`\n${slower} of ${FILTERS.length * 2} lists take more than twice as long.`);
});
