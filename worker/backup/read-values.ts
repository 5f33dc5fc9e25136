/** KV reads at most this many keys at once. */
const KEYS_PER_READ = 100;

/**
 * Reads the values below a prefix in KV, up to a hundred at once. `name` is the key without the
 * prefix, and `isWanted` decides by it. `text` is null for a key that was deleted meanwhile.
 */
export async function* readValues(
  { LINKS }: Pick<Env, 'LINKS'>,
  prefix: string,
  isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<{ name: string; text: string | null }[]> {
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await LINKS.list({ prefix, cursor });
    const names = page.keys.map(({ name }) => name.slice(prefix.length)).filter(isWanted);
    for (let at = 0; at < names.length; at += KEYS_PER_READ) {
      const some = names.slice(at, at + KEYS_PER_READ);
      const values = await LINKS.get(some.map((name) => prefix + name));
      yield some.map((name) => ({ name, text: values.get(prefix + name) ?? null }));
    }
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
}
