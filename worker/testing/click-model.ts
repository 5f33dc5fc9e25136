import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { DIM_CAPS, overflowValue, type Dim } from '#worker/clicks/fold/counts.ts';
import { keepsVisitors } from '#worker/clicks/fold/tables.ts';
import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { storedDays, UA_BOT, UA_CHROME, UA_IPHONE } from './clicks.ts';

/**
 * Clients with their correct classification. They are listed here so that the code under test
 * cannot decide what is right.
 */
export const AUDIENCE = [
  { ua: UA_CHROME, kind: 'human', agent: 'Desktop|Chrome|Windows' },
  { ua: UA_IPHONE, kind: 'human', agent: 'Mobile|Mobile Safari|iOS' },
  { ua: UA_BOT, kind: 'bot', agent: '' },
  { ua: UA_CHROME, kind: 'prefetch', agent: '' },
] as const;

/** A click as the test knows it. An empty `visitor` cannot be recognized. */
export type Fact = {
  link: number;
  t: number;
  who: number;
  visitor: string;
  ref: string;
  city: string;
  isScan?: boolean;
  utm?: string;
  destination?: string;
};

type Sums = { human: number; bot: number; prefetch: number; visitors: number };
/** The stored counts in a comparable form: [key, counts] sorted by key. */
export type State = {
  totals: unknown;
  days: unknown;
  recent: unknown;
  dims: Map<string, Map<string, number>>;
};

const key = (...parts: (string | number)[]): string => parts.join(' ');
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** The reference model: a window counts when it is first committed, and never again. */
export function clickModel() {
  const committed = new Set<string>();
  const totals = new Map<string, Sums>();
  const days = new Map<string, Sums>();
  const dims = new Map<string, Map<string, number>>();
  const recent = new Map<string, number[]>();
  const visitors = new Map<string, Set<string>>();

  const sums = (map: Map<string, Sums>, at: string): Sums => {
    const known = map.get(at) ?? { human: 0, bot: 0, prefetch: 0, visitors: 0 };
    map.set(at, known);
    return known;
  };

  function count(fact: Fact, known: Map<string, Set<string>>): void {
    const who = AUDIENCE[fact.who];
    if (who === undefined) throw new Error('nobody');
    const day = dayNumber(fact.t);
    const both = [sums(totals, key(fact.link)), sums(days, key(fact.link, day))];
    for (const one of both) one[who.kind] += 1;
    if (who.kind !== 'human') return;
    const at = key(fact.link, day);
    const seen = known.get(at) ?? new Set();
    known.set(at, seen);
    const isNew = fact.visitor !== '' && !seen.has(fact.visitor);
    if (isNew) for (const one of both) one.visitors += 1;
    if (fact.visitor !== '') seen.add(fact.visitor);
    recent.set(key(fact.link), [...(recent.get(key(fact.link)) ?? []), fact.t]);
    for (const [dim, val] of [
      ['place', `IN|KA|${fact.city}`],
      ['agent', who.agent],
      ['ref', fact.ref],
      ...(fact.utm === undefined ? [] : ([['utm', fact.utm]] as const)),
      ...(fact.destination === undefined ? [] : ([['destination', fact.destination]] as const)),
      ...(fact.destination === undefined || !isNew
        ? []
        : ([['destinationSeen', fact.destination]] as const)),
      ...(fact.isScan === true
        ? ([['scans', String(Math.floor((fact.t % DAY_MS) / HOUR_MS))]] as const)
        : []),
    ] as const) {
      const values = dims.get(key(fact.link, day, dim)) ?? new Map<string, number>();
      dims.set(key(fact.link, day, dim), values);
      values.set(val, (values.get(val) ?? 0) + 1);
    }
  }

  return {
    /**
     * Records that windows reached the database in one batch, whatever the consumer was told. If a
     * day's visitor ids may no longer be stored, its visitors are only distinguished within the
     * batch (docs/decisions.md#d20).
     */
    commit(windows: readonly { key: string; facts: readonly Fact[] }[], now: number): void {
      const ofBatch = new Map<string, Set<string>>();
      for (const { key: windowKey, facts } of windows) {
        if (committed.has(windowKey)) continue;
        committed.add(windowKey);
        for (const fact of facts)
          count(fact, keepsVisitors(dayNumber(fact.t), now) ? visitors : ofBatch);
      }
    },
    isCommitted: (windowKey: string): boolean => committed.has(windowKey),
    state: (): State => ({
      totals: sorted(totals),
      days: sorted(days),
      recent: sorted(
        new Map(
          [...recent].map(([link, times]) => [
            link,
            times.sort((a, b) => b - a).slice(0, RECENT_CLICKS_MAX),
          ]),
        ),
      ),
      dims,
    }),
  };
}

/** Returns the sum of the counts in some databases, in the model's form. */
export async function storedState(databases: readonly D1Database[]): Promise<State> {
  type Row = Sums & { k: string; recent: string };
  const figures = ({ human, bot, prefetch, visitors }: Sums): Sums => ({
    human,
    bot,
    prefetch,
    visitors,
  });
  const read = await Promise.all(
    databases.map((db) =>
      Promise.all([
        db.prepare(`SELECT CAST(link_id AS TEXT) AS k, * FROM link_totals`).all<Row>(),
        storedDays(db),
      ]),
    ),
  );
  const totals = read.flatMap(([{ results }]) => results);
  const days = read.flatMap(([, ofDatabase]) => ofDatabase);
  const dims = new Map<string, Map<string, number>>();
  for (const { link, day, counts } of days)
    for (const dim of [
      'place',
      'agent',
      'ref',
      'utm',
      'scans',
      'destination',
      'destinationSeen',
    ] as const)
      if (counts[dim].size > 0) dims.set(key(link, day, dim), counts[dim]);
  const recent = new Map<string, number[]>();
  for (const row of totals) {
    const clicks: [number][] = JSON.parse(row.recent).slice(0, RECENT_CLICKS_MAX);
    const times = clicks.map(([t]) => t);
    if (times.length > 0) recent.set(row.k, times);
  }
  return {
    totals: sorted(new Map(totals.map((row) => [row.k, figures(row)]))),
    days: sorted(new Map(days.map(({ link, day, counts }) => [key(link, day), figures(counts)]))),
    recent: sorted(recent),
    dims,
  };
}

/**
 * Describes the first difference, or returns ''. Up to the cap, values must be equal. Above it, the
 * sums must be equal, no value may have more clicks than expected, and exactly as many values as
 * the cap must be stored.
 */
export function difference(want: State, have: State): string {
  for (const part of ['totals', 'days', 'recent'] as const) {
    const [a, b] = [JSON.stringify(want[part]), JSON.stringify(have[part])];
    if (a !== b) return `${part}: want ${a}, have ${b}`;
  }
  if (want.dims.size !== have.dims.size)
    return `dims: want ${want.dims.size} groups, have ${have.dims.size}`;
  for (const [at, values] of want.dims) {
    const dim = at.split(' ')[2];
    const stored = have.dims.get(at) ?? new Map<string, number>();
    const problem =
      dim === 'place' || dim === 'agent' || dim === 'ref' || dim === 'utm'
        ? dimDifference(dim, values, stored)
        : equalDifference(values, stored);
    if (problem !== '') return `${at}: ${problem}`;
  }
  return '';
}

function equalDifference(
  want: ReadonlyMap<string, number>,
  have: ReadonlyMap<string, number>,
): string {
  const [a, b] = [JSON.stringify(sorted(want)), JSON.stringify(sorted(have))];
  return a === b ? '' : `want ${a}, have ${b}`;
}

function dimDifference(
  dim: Dim,
  want: ReadonlyMap<string, number>,
  have: ReadonlyMap<string, number>,
): string {
  if (want.size <= DIM_CAPS[dim]) return equalDifference(want, have);
  const sum = (map: ReadonlyMap<string, number>) =>
    [...map.values()].reduce((all, n) => all + n, 0);
  if (sum(want) !== sum(have)) return `want ${sum(want)} clicks, have ${sum(have)}`;
  const kept = [...have].filter(([val]) => val !== overflowValue(dim, val));
  if (kept.length !== DIM_CAPS[dim]) return `${kept.length} values kept`;
  const over = kept.find(([val, n]) => n > (want.get(val) ?? 0));
  return over === undefined ? '' : `${over[0]} has ${over[1]}`;
}

/** Returns the event that the redirect sends for a click. */
export function toEvent(fact: Fact): ClickEvent {
  const who = AUDIENCE[fact.who];
  const event: ClickEvent = {
    l: fact.link,
    t: fact.t,
    ua: who?.ua ?? '',
    r: fact.ref,
    c: 'IN',
    g: 'KA',
    y: fact.city,
    k: fact.visitor,
  };
  if (who?.kind === 'prefetch') event.p = 1;
  if (fact.isScan === true) event.q = 1;
  if (fact.utm !== undefined) event.u = fact.utm;
  if (fact.destination !== undefined) event.d = fact.destination;
  return event;
}

/**
 * Returns the ids of windows that a statement stores, either as rows of their own or in the totals
 * of links. Totals also list earlier windows.
 */
export function windowIdsIn(sql: string, values: readonly unknown[]): string[] {
  if (/^insert into click_windows_\d+/.test(sql)) return JSON.parse(String(values[0]));
  if (!/^\s*insert into "link_totals" \(link_id, rev, first_at/.test(sql)) return [];
  const rows: string[][][] = JSON.parse(String(values[0]));
  return rows.flatMap((row) => row[7] ?? []).map((stored) => stored.slice(stored.indexOf('.') + 1));
}
