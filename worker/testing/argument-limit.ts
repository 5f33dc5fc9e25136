/**
 * The most arguments of a function in D1, which the local engine does not enforce:
 * https://developers.cloudflare.com/d1/platform/limits/
 */
const ARGUMENTS_MAX = 32;

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|(\w*)\(|[),]/g;

/** The names of the functions that `query` calls with more arguments than D1 allows. */
export function findLongCalls(query: string): string[] {
  const found: string[] = [];
  const open: { name: string; commas: number }[] = [];
  for (const [token, name] of query.matchAll(TOKEN)) {
    const call = open.at(-1);
    if (name !== undefined) open.push({ name, commas: 0 });
    else if (token === ',' && call !== undefined) call.commas++;
    else if (token === ')') {
      open.pop();
      // Lists of columns and values have a space before them.
      if (call !== undefined && call.name !== '' && call.commas >= ARGUMENTS_MAX)
        found.push(call.name);
    }
  }
  return found;
}

const checked = new Set<string>();

/** Makes every database reject statements that D1 would reject for the arguments of a function. */
export function limitArguments(db: D1Database): void {
  const prototype: Pick<D1Database, 'prepare'> & { hasArgumentLimit?: true } =
    Object.getPrototypeOf(db);
  if (prototype.hasArgumentLimit === true) return;
  const { prepare } = prototype;
  prototype.hasArgumentLimit = true;
  prototype.prepare = function (this: D1Database, query: string) {
    if (!checked.has(query)) {
      const [name] = findLongCalls(query);
      if (name !== undefined) throw new Error(`D1_ERROR: too many arguments on function ${name}`);
      checked.add(query);
    }
    return prepare.call(this, query);
  };
}
