import { env } from 'cloudflare:test';

/** Returns every table of the database with its rows, except the platform's tables. */
export async function wholeDatabase(): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  const names = tables.results.map(({ name }) => name);
  const contents = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  return new Map(names.map((name, i) => [name, contents[i]?.results ?? []]));
}

/** Returns values in the database that match `pattern`, as 'table.column: value'. */
export async function findInDatabase(pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const [table, rows] of await wholeDatabase())
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (pattern.test(String(value)))
          found.push(`${table}.${column}: ${String(value).slice(0, 100)}`);
  return found;
}

/** Returns KV keys and values that match `pattern`, as 'key = value'. */
export async function findInKv(pattern: RegExp): Promise<string[]> {
  const { keys } = await env.LINKS.list();
  const entries = await Promise.all(
    keys.map(async ({ name }) => `${name} = ${(await env.LINKS.get(name)) ?? ''}`),
  );
  return entries.filter((entry) => pattern.test(entry));
}
