import { expect, it } from 'vitest';
import { d1On } from './d1-on.ts';

const results = { columns: ['id', 'id', 'code'], rows: [[1, 2, 'abc']] };
const NOTHING = { changes: 0, changed_db: false, duration: 0, last_row_id: 0, rows_read: 1 };
const meta = { ...NOTHING, rows_written: 0, size_after: 0 };

it('a D1 in Node returns every column of a row, also two of one name', async () => {
  const sent: unknown[] = [];
  const { prepare, batch } = d1On((queries) => {
    sent.push(JSON.parse(JSON.stringify(queries)));
    return Promise.resolve(queries.map(() => ({ results, meta })));
  });
  const statement = prepare('SELECT ?1, ?2').bind(true, 'x');
  expect(await statement.raw()).toEqual([[1, 2, 'abc']]);
  expect(await statement.first('code')).toBe('abc');
  expect(await statement.first()).toEqual({ id: 2, code: 'abc' });
  expect(await batch([statement, statement])).toHaveLength(2);
  const query = { sql: 'SELECT ?1, ?2', params: [1, 'x'] };
  expect(sent).toEqual([[query], [query], [query], [query, query]]);
});
