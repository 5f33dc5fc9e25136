/**
 * Letters of a code that are easily taken for another one. Case is ignored as well. The index
 * `links_by_similar_code` is made of this list, so a change of it needs a migration.
 */
const LOOK_ALIKES = [
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['2', 'z'],
  ['5', 's'],
  ['8', 'b'],
  ['_', '-'],
] as const;

/**
 * The SQL expression that is equal for codes that differ only by case or by look-alike letters.
 * `code` is the name of a column. SQLite uses the index only for exactly this expression.
 */
export const similarCodeSql = (code: string): string =>
  LOOK_ALIKES.reduce(
    (folded, [from, to]) => `replace(${folded}, '${from}', '${to}')`,
    `lower(${code})`,
  );
