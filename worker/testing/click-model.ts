import { DAY_MS } from '#contract/time.ts';
import { DIM_CAPS, overflowValue, type Dim } from '#worker/clicks/dimensions.ts';
import { startOfDay } from '#worker/clicks/periods.ts';
import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { UA_BOT, UA_CHROME, UA_IPHONE } from './clicks.ts';

/** Clients and how the product must classify them. Written out here, so that the code under test cannot decide what is right. */
export const AUDIENCE = [
  { ua: UA_CHROME, kind: 'human', agent: 'Desktop|Chrome|Windows' },
  { ua: UA_IPHONE, kind: 'human', agent: 'Mobile|Mobile Safari|iOS' },
  { ua: UA_BOT, kind: 'bot', agent: '' },
  { ua: UA_CHROME, kind: 'prefetch', agent: '' },
] as const;

/** One click as the test knows it. An empty `visitor` means one that cannot be recognised. */
export type Fact = { link: number; t: number; who: number; visitor: string; ref: string; city: string };

type Sums = { human: number; bot: number; prefetch: number; visitors: number };
/** The stored counts in a comparable form: [key, counts] sorted by key. */
export type State = { totals: unknown; days: unknown; recent: unknown; dims: Map<string, Map<string, number>> };

const key = (...parts: (string | number)[]): string => parts.join(' ');
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

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

  function count(fact: Fact): void {
    const who = AUDIENCE[fact.who];
    if (who === undefined) throw new Error('nobody');
    const day = startOfDay(fact.t);
    const both = [sums(totals, key(fact.link)), sums(days, key(fact.link, day))];
    for (const one of both) one[who.kind] += 1;
    if (who.kind !== 'human') return;
    const at = key(fact.link, day);
    const seen = visitors.get(at) ?? new Set();
    visitors.set(at, seen);
    if (fact.visitor !== '' && !seen.has(fact.visitor)) for (const one of both) one.visitors += 1;
    if (fact.visitor !== '') seen.add(fact.visitor);
    recent.set(key(fact.link), [...(recent.get(key(fact.link)) ?? []), fact.t]);
    for (const [dim, val] of [
      ['place', `IN|KA|${fact.city}`],
      ['agent', who.agent],
      ['ref', fact.ref],
    ] as const) {
      const values = dims.get(key(fact.link, day, dim)) ?? new Map<string, number>();
      dims.set(key(fact.link, day, dim), values);
      values.set(val, (values.get(val) ?? 0) + 1);
    }
  }

  return {
    /** Records that a window reached the database, whatever the consumer was told. */
    commit(windowKey: string, facts: readonly Fact[]): void {
      if (committed.has(windowKey)) return;
      committed.add(windowKey);
      facts.forEach(count);
    },
    isCommitted: (windowKey: string): boolean => committed.has(windowKey),
    /** Retention deletes the visitor ids of the days before yesterday (docs/decisions.md#d20). */
    forgetVisitors(now: number): void {
      for (const at of visitors.keys()) if (Number(at.split(' ')[1]) < startOfDay(now) - DAY_MS) visitors.delete(at);
    },
    state: (): State => ({
      totals: sorted(totals),
      days: sorted(days),
      recent: sorted(
        new Map([...recent].map(([link, times]) => [link, times.sort((a, b) => b - a).slice(0, RECENT_CLICKS_MAX)])),
      ),
      dims,
    }),
  };
}

/** The counts in D1, in the model's form. Hours and days are added up, because retention moves clicks from one to the other. */
export async function storedState(db: D1Database): Promise<State> {
  type Row = {
    k: string;
    human: number;
    bot: number;
    prefetch: number;
    visitors: number;
    recent: string;
    val: string;
    n: number;
  };
  const figures = (row: Row): Sums => ({ human: row.human, bot: row.bot, prefetch: row.prefetch, visitors: row.visitors });
  const [totals, days, dims] = await db.batch<Row>([
    db.prepare(`SELECT CAST(link_id AS TEXT) AS k, * FROM link_totals`),
    db.prepare(`SELECT link_id || ' ' || (at - at % ${DAY_MS}) AS k, sum(human) AS human, sum(bot) AS bot, sum(prefetch) AS prefetch,
      sum(visitors) AS visitors FROM click_counts GROUP BY k`),
    db.prepare(`SELECT link_id || ' ' || at || ' ' || dim AS k, val, n FROM click_dims`),
  ]);
  const values = new Map<string, Map<string, number>>();
  for (const row of dims?.results ?? []) values.set(row.k, (values.get(row.k) ?? new Map<string, number>()).set(row.val, row.n));
  const recent = new Map<string, number[]>();
  for (const row of totals?.results ?? []) {
    const clicks: [number][] = JSON.parse(row.recent);
    if (clicks.length > 0)
      recent.set(
        row.k,
        clicks.map(([t]) => t),
      );
  }
  return {
    totals: sorted(new Map(totals?.results.map((row) => [row.k, figures(row)]))),
    days: sorted(new Map(days?.results.map((row) => [row.k, figures(row)]))),
    recent: sorted(recent),
    dims: values,
  };
}

/**
 * Describes the first difference, or returns ''. Up to the cap, values must be equal. Above it, the sums must be equal, no
 * value may have more clicks than expected, and exactly as many values as the cap must be stored.
 */
export function difference(want: State, have: State): string {
  for (const part of ['totals', 'days', 'recent'] as const) {
    const [a, b] = [JSON.stringify(want[part]), JSON.stringify(have[part])];
    if (a !== b) return `${part}: want ${a}, have ${b}`;
  }
  if (want.dims.size !== have.dims.size) return `dims: want ${want.dims.size} groups, have ${have.dims.size}`;
  for (const [at, values] of want.dims) {
    const dim = at.split(' ')[2];
    const stored = have.dims.get(at) ?? new Map<string, number>();
    const problem =
      dim === 'place' || dim === 'agent' || dim === 'ref' ? dimDifference(dim, values, stored) : 'unknown dimension';
    if (problem !== '') return `${at}: ${problem}`;
  }
  return '';
}

function dimDifference(dim: Dim, want: ReadonlyMap<string, number>, have: ReadonlyMap<string, number>): string {
  if (want.size <= DIM_CAPS[dim]) {
    const [a, b] = [JSON.stringify(sorted(want)), JSON.stringify(sorted(have))];
    return a === b ? '' : `want ${a}, have ${b}`;
  }
  const sum = (map: ReadonlyMap<string, number>) => [...map.values()].reduce((all, n) => all + n, 0);
  if (sum(want) !== sum(have)) return `want ${sum(want)} clicks, have ${sum(have)}`;
  const kept = [...have].filter(([val]) => val !== overflowValue(dim, val));
  if (kept.length !== DIM_CAPS[dim]) return `${kept.length} values kept`;
  const over = kept.find(([val, n]) => n > (want.get(val) ?? 0));
  return over === undefined ? '' : `${over[0]} has ${over[1]}`;
}
