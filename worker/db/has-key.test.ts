import { env } from 'cloudflare:test';
import { sql, type SQL } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { linkKey } from '#contract/codes/domain-key.ts';
import { openDb } from './client.ts';
import { hasKey, hasOneKey, isAliasLike, links } from './schema-links.ts';

const db = openDb(env.DB);
const insert = (code: string, over: Partial<typeof links.$inferInsert> = {}) =>
  db.insert(links).values({
    code,
    target: 'https://example.com/',
    target_host: 'example.com',
    created_at: 1,
    updated_at: 1,
    ...over,
  });
const idsWhere = async (condition: SQL): Promise<number[]> =>
  (await db.all<{ id: number }>(sql`select id from ${links} where ${condition} order by id`)).map(
    ({ id }) => id,
  );

describe('the key of a link', () => {
  it('a key leads to the one link that has not released it', async () => {
    await insert('key', { id: 1, status: 'deleted', released_at: 5 });
    await insert('key', { id: 2, status: 'deleted', released_at: 6 });
    await insert('key', { id: 3 });
    await insert(linkKey('d.example999', 'key'), { id: 4 });
    expect(await idsWhere(hasKey('key'))).toEqual([3]);
    expect(await idsWhere(hasKey('d.example999/key'))).toEqual([4]);
    expect(await idsWhere(hasOneKey(sql`('key', 'd.example999/key')`))).toEqual([3, 4]);
    await expect(insert('key', { id: 5 })).rejects.toThrow();
  });

  it('a key may differ from a released alias by case alone', async () => {
    await insert('Alias', { id: 11, is_alias: true });
    await expect(insert('alias', { id: 12, is_alias: true })).rejects.toThrow();
    expect(await idsWhere(isAliasLike('ALIAS', 'links'))).toEqual([11]);
    await db.run(sql`update ${links} set released_at = 1 where id = 11`);
    expect(await idsWhere(isAliasLike('ALIAS', 'links'))).toEqual([]);
    await insert('alias', { id: 12, is_alias: true });
  });

  it.each([
    ['one key', hasKey('a'), 'links_by_code (code=?)'],
    ['some keys', hasOneKey(sql`(select value from json_each('["a"]'))`), 'links_by_code (code=?)'],
    ['an alias', isAliasLike('a', 'links'), 'links_by_alias (<expr>=?)'],
  ])('an index finds the key of a link: %s', async (_, condition, index) => {
    const plan = await db.all(
      sql`explain query plan select target from ${links} where ${condition}`,
    );
    expect(JSON.stringify(plan)).toContain(`USING INDEX ${index}`);
  });
});
