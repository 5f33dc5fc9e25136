import { sql, type SQL } from 'drizzle-orm';
import { click_dims } from '#worker/db/schema-clicks.ts';

/**
 * Dimensions of a human click, each stored as one joined value: 'place' = country|region|city,
 * 'agent' = device|browser|os, 'ref' = referrer host. Per link, period and dimension only this many values are kept.
 * The rest count under an overflow value, so that random referrers cannot grow the database without bound.
 */
export const DIM_CAPS = { place: 150, agent: 60, ref: 100 } as const;
export type Dim = keyof typeof DIM_CAPS;

/** The value under which clicks beyond the cap are counted. It keeps the country or the device type. */
export function overflowValue(dim: Dim, val: string): string {
  if (dim === 'ref') return 'Other';
  return val.slice(0, val.indexOf('|')) + (dim === 'place' ? '||Other' : '|Other|Other');
}

// SQL as text: the click store prepares its statements without Drizzle.

/** `overflowValue` in SQL, for columns named `dim` and `val`. `prefix` is a table's name with its dot: 't.'. */
export const overflowSql = (prefix = ''): string => `CASE ${prefix}dim WHEN 'ref' THEN 'Other'
  WHEN 'place' THEN substr(${prefix}val, 1, instr(${prefix}val, '|') - 1) || '||Other'
  ELSE substr(${prefix}val, 1, instr(${prefix}val, '|') - 1) || '|Other|Other' END`;

/** The cap of the dimension in column `dim`, in SQL. */
export const capSql = `CASE dim WHEN 'place' THEN ${DIM_CAPS.place} WHEN 'agent' THEN ${DIM_CAPS.agent} ELSE ${DIM_CAPS.ref} END`;

/** The start of the month (ms) of the time in a column, in SQL. */
export const startOfMonthSql = (at: string): string => `unixepoch(${at} / 1000, 'unixepoch', 'start of month') * 1000`;

/**
 * Selects the rows of `click_dims` that match `where`, summed by month and capped: link_id, month, dim, val, n.
 * Reports read old days through it. The roll-up job applies the same rule, so a report does not change when it runs.
 */
export const selectMonthlyDims = (where: SQL): SQL => sql`
  select link_id, month, dim, case when val = overflow or place <= ${sql.raw(capSql)} then val else overflow end as val, n from (
    select *, row_number() over (partition by link_id, month, dim, val = overflow order by n desc, val) as place from (
      select link_id, ${sql.raw(startOfMonthSql('at'))} as month, dim, val, ${sql.raw(overflowSql())} as overflow, sum(n) as n
      from ${click_dims} where ${where} group by link_id, month, dim, val))`;
