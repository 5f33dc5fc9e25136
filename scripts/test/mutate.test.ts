import { describe, expect, it } from 'vitest';
import { mutantsOf } from './mutate.ts';

const changed = (source: string): string[] =>
  mutantsOf(source).map(
    ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
  );

describe('mutantsOf', () => {
  it('turns operators, negations and literals, one at a time', () => {
    expect(changed('const a = b < 2 && !c;')).toEqual([
      'const a = b < 2 || !c;',
      'const a = b <= 2 && !c;',
      'const a = b < (2 + 1) && !c;',
      'const a = b < 2 && c;',
    ]);
  });

  it('removes calls whose result is not used', () => {
    expect(changed('async function f() { await save(x); return load(); }')).toEqual([
      'async function f() { ; return load(); }',
    ]);
  });

  it('changes conditions inside SQL', () => {
    expect(
      changed('db.run(sql`delete from links where at <= ${now} and user_id is null`);'),
    ).toEqual([
      ';',
      'db.run(sql`delete from links where at < ${now} and user_id is null`);',
      'db.run(sql`delete from links where at <= ${now} or user_id is null`);',
      'db.run(sql`delete from links where at <= ${now} and user_id is not null`);',
    ]);
  });

  it('leaves types and imports alone', () => {
    expect(
      changed("import { a } from '#scripts/a.ts';\ntype T = { x: 1 | 2; y: true };\nlet z: 3;"),
    ).toEqual([]);
  });
});
