/**
 * The dimensions of a human click, each as one joined value: 'place' = country|region|city, 'agent' = device|browser|os,
 * 'ref' = referrer host. Per link, period and dimension only so many different values are kept; the rest counts under the
 * dimension's overflow value, so that random referrers cannot grow the database without bound.
 */
export const DIM_CAPS = { place: 150, agent: 60, ref: 100 } as const;
export type Dim = keyof typeof DIM_CAPS;

/** The value under which what is over the cap counts. A country and a device type are never lost, only their details. */
export function overflowValue(dim: Dim, val: string): string {
  if (dim === 'ref') return 'Other';
  return val.slice(0, val.indexOf('|')) + (dim === 'place' ? '||Other' : '|Other|Other');
}

/** `overflowValue` in SQL, over columns named `dim` and `val` (with the prefix of a table: 't.'). */
export const overflowSql = (prefix = ''): string => `CASE ${prefix}dim WHEN 'ref' THEN 'Other'
  WHEN 'place' THEN substr(${prefix}val, 1, instr(${prefix}val, '|') - 1) || '||Other'
  ELSE substr(${prefix}val, 1, instr(${prefix}val, '|') - 1) || '|Other|Other' END`;

/** The cap of the dimension in column `dim`, in SQL. */
export const capSql = `CASE dim WHEN 'place' THEN ${DIM_CAPS.place} WHEN 'agent' THEN ${DIM_CAPS.agent} ELSE ${DIM_CAPS.ref} END`;

/** The month (its first ms) of the time in a column, in SQL. */
export const startOfMonthSql = (at: string): string => `unixepoch(${at} / 1000, 'unixepoch', 'start of month') * 1000`;

/**
 * Rows of `click_dims` chosen by the condition `where`, as months under the caps: columns link_id, month, dim, val, n.
 * The report shows old days through it and retention stores them through it, so that storing changes nothing.
 */
export const monthlyDimsSql = (where: string): string => `
  SELECT link_id, month, dim, CASE WHEN val = spill OR place <= ${capSql} THEN val ELSE spill END AS val, n FROM (
    SELECT *, row_number() OVER (PARTITION BY link_id, month, dim, val = spill ORDER BY n DESC, val) AS place FROM (
      SELECT link_id, ${startOfMonthSql('at')} AS month, dim, val, ${overflowSql()} AS spill, sum(n) AS n
      FROM click_dims WHERE ${where} GROUP BY link_id, month, dim, val))`;
