import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { signUpLocally } from '#scripts/deploy/smoke.ts';
import { encodeCounts } from '#worker/clicks/fold/counts-codec.ts';
import { noCounts } from '#worker/clicks/fold/counts.ts';
import { encodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { destinationId, toShares } from '#worker/redirect/shares.ts';
import { executeLocally, putLocally } from './local-stores.ts';

const OWN = 'https://own.example/';
const OTHER = 'https://other.example/';
const VARIANTS = JSON.stringify([{ url: OTHER, weight: 99 }]);
const LINKS = [
  { id: 9_500, code: 'divided-d1' },
  { id: 9_501, code: 'divided-kv' },
] as const;
const [COUNTED] = LINKS;
const CLICKS = 5;
const COUNTED_WITHIN_MS = 60_000;
const POLL_MS = 1_000;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** Writes links with variants to the local stores, with clicks of yesterday as this release counts. */
export async function writeDividedLinks(state: string): Promise<void> {
  const yesterday = Date.now() - DAY_MS;
  const destination = new Map([
    [destinationId(OWN), 1],
    [destinationId(OTHER), CLICKS - 1],
  ]);
  const counts = {
    ...noCounts(),
    human: CLICKS,
    visitors: CLICKS,
    times: new Map([['9', CLICKS]]),
    seen: new Map([['9', CLICKS]]),
    place: new Map([['IN|KA|Bengaluru', CLICKS]]),
    agent: new Map([['Desktop|Chrome|Linux', CLICKS]]),
    ref: new Map([['', CLICKS]]),
    devices: new Map([['IN|Desktop', CLICKS]]),
    sources: new Map([['IN|', CLICKS]]),
    destination,
    destinationSeen: destination,
  };
  await executeLocally(state, [
    ...LINKS.map(
      ({
        id,
        code,
      }) => `insert into links (id, code, target, target_host, created_at, updated_at, variants)
        values (${id}, '${code}', '${OWN}', 'own.example', ${yesterday}, ${yesterday}, '${VARIANTS}')`,
    ),
    `insert into link_totals (link_id, human, visitors, first_at, last_at, rev, day, counts)
      values (${COUNTED.id}, ${CLICKS}, ${CLICKS}, ${yesterday}, ${yesterday}, 1, ${dayNumber(yesterday)},
        '${JSON.stringify(encodeCounts(counts))}')`,
  ]);
  const w = toShares(OWN, VARIANTS);
  if (w === undefined) throw new Error('The variants cannot be read.');
  await putLocally(
    state,
    LINKS.filter(({ code }) => code === 'divided-kv').map(({ id, code: key }) => ({
      key,
      value: encodeEdgeRecord({ v: 1, i: id, s: 'a', u: OWN, e: 0, w }),
    })),
  );
}

/**
 * Follows the links, and reads the report of one after a click. Returns a line for each thing that
 * the release does wrong.
 */
export async function findMisdivided(
  origin: string,
  state: string,
  { knowsVariants }: { knowsVariants: boolean },
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { code } of LINKS) {
    const { status, headers } = await fetch(`${origin}/${code}`, {
      redirect: 'manual',
      headers: { 'User-Agent': AGENT },
    });
    const to = headers.get('Location');
    if (status !== 302 || (to !== OWN && !(knowsVariants && to === OTHER)))
      wrong.push(`/${code} answers ${status} and leads to ${to}`);
  }
  const send = await signUpLocally(origin);
  const { code } = await send('POST', '/api/shorten', { longUrl: OWN });
  await executeLocally(state, [
    `update links set user_id = (select user_id from links where code = '${String(code)}') where id = ${COUNTED.id}`,
  ]);
  const count = async (): Promise<unknown> => {
    const { analytics } = await send('GET', `/api/analytics/${COUNTED.code}?range=all`);
    return Object.getOwnPropertyDescriptor(Object(analytics), 'totalClicks')?.value;
  };
  let counted = await count();
  for (const end = Date.now() + COUNTED_WITHIN_MS; counted === CLICKS && Date.now() < end;) {
    await wait(POLL_MS);
    counted = await count();
  }
  return counted === CLICKS + 1
    ? wrong
    : [
        ...wrong,
        `the report of /${COUNTED.code} shows ${String(counted)} clicks, not ${CLICKS + 1}`,
      ];
}

type Schema = { parse: (value: unknown) => unknown };
type Agent = { bot: boolean; device: string; browser: string; os: string };
type Aggregate = (
  windows: unknown[],
  agentOf: () => Agent,
) => Map<number, { days: Map<number, { counts: { human: number } }> }>;

/**
 * Throws unless the consumer of the release in `folder` counts a message of this one, in which a
 * click has its destination.
 */
export async function checkMessages(folder: string): Promise<void> {
  const { clickWindowSchema: schema }: { clickWindowSchema: Schema } = await import(
    join(folder, 'worker/clicks/queue/click-window-schema.ts')
  );
  const { aggregateClicks }: { aggregateClicks: Aggregate } = await import(
    join(folder, 'worker/clicks/fold/aggregate-clicks.ts')
  );
  const place = { r: '', c: 'IN', g: '', y: '' };
  const click = { l: 1, t: Date.now(), ua: AGENT, k: 'ann', d: destinationId(OTHER), ...place };
  const read = schema.parse({ v: 1, id: 'window', e: [click] });
  const agent = { bot: false, device: 'Desktop', browser: 'Chrome', os: 'Linux' };
  const days =
    aggregateClicks([read], () => agent)
      .get(1)
      ?.days.values() ?? [];
  const human = [...days].map(({ counts }) => counts.human).join();
  if (human !== '1') throw new Error(`A message with one click counts ${human || 'no'} clicks.`);
}
