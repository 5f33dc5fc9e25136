import { PRICES } from '#scripts/generate/prices.ts';
import { BASE_CLICKS, FACTORS, SHARDS, type Estimate } from './estimate.ts';

const per = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(3));
/** Parts with fewer rows per click are not shown. */
const SHOWN = 0.0005;
const rowsOf = (one?: { read: number; written: number }): string =>
  one === undefined ? '–' : `${per(one.read)} / ${per(one.written)}`;
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
const months = ({ month, limit }: Estimate['limits'][number]): string =>
  month === null ? 'none' : `month ${month}: ${limit}`;

export function formatEstimates(all: readonly Estimate[]): string {
  const names = all.map(({ profile }) => profile);
  const table = (head: string, rows: [string, (one: Estimate) => string][]): string =>
    [
      `| ${head} | ${names.join(' | ')} |`,
      `|---|${names.map(() => '---').join('|')}|`,
      ...rows.map(([name, cell]) => `| ${name} | ${all.map(cell).join(' | ')} |`),
    ].join('\n');
  const billed = Object.entries(PRICES).filter(([name]) =>
    all.some((one) => name in one.dollarsPerMillion),
  );
  const parts = [...new Set(all.flatMap((one) => Object.keys(one.rowsPerClick)))].filter((part) =>
    all.some(
      ({ rowsPerClick: { [part]: one } }) => one !== undefined && one.read + one.written > SHOWN,
    ),
  );
  return [
    ...all.map(
      (one) =>
        `- *${one.profile}*: ${one.what}. ${one.clicks.toLocaleString('en')} clicks, scaled down by ${one.scaledDownBy}.`,
    ),
    '',
    table('per click, everything over 13 months', [
      ['D1 rows written', (one) => per(one.perClick.rowsWritten)],
      ['D1 rows read', (one) => per(one.perClick.rowsRead)],
      ['queue messages', (one) => per(one.perClick.queueMessages)],
      ['queue operations', (one) => per(one.perClick.queueOperations)],
      ['KV reads', (one) => per(one.perClick.kvReads)],
      ['KV writes', (one) => per(one.perClick.kvWrites)],
      ['log lines', (one) => per(one.perClick.logLines)],
      ['ms of D1 (this machine)', (one) => per(one.perClick.d1Ms)],
      ['bytes per link', (one) => per(one.bytesPerLink)],
      ['bytes per link and day with clicks', (one) => per(one.bytesPerLinkDay)],
    ]),
    '',
    table('$ per million clicks', [
      ...billed.map(([name, { what }]): [string, (one: Estimate) => string] => [
        what,
        (one) =>
          (Object.entries(one.dollarsPerMillion).find(([key]) => key === name)?.[1] ?? 0).toFixed(
            2,
          ),
      ]),
      ['**total**', (one) => `**${one.totalPerMillion.toFixed(2)}**`],
      ['cron, $ a month without clicks', (one) => one.fixedDollarsPerMonth.toFixed(2)],
    ]),
    '',
    table(
      'D1 rows per click, read / written',
      parts.map((part) => [part, (one) => rowsOf(one.rowsPerClick[part])]),
    ),
    '',
    table(
      'MB at the end of month',
      (all[0]?.databaseBytes ?? []).map((_, month) => [
        String(month + 1),
        (one) => mb(one.databaseBytes[month] ?? 0),
      ]),
    ),
    '',
    table(
      'what breaks first',
      FACTORS.flatMap((factor) =>
        SHARDS.map((shards): [string, (one: Estimate) => string] => [
          `${(BASE_CLICKS * factor).toLocaleString('en')} clicks a month, ${shards} shard${shards === 1 ? '' : 's'}`,
          (one) =>
            one.limits
              .filter((limit) => limit.factor === factor && limit.shards === shards)
              .map(months)[0] ?? '',
        ]),
      ),
    ),
  ].join('\n');
}
