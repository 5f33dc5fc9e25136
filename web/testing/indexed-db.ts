import { vi } from 'vitest';

type Key = string | number | readonly Key[];
type Range = { lower: Key; upper: Key };

const typeOf = (key: Key): number =>
  typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2;

/** Compares keys as IndexedDB does: numbers, then texts, then lists, member by member. */
function compare(a: Key, b: Key): number {
  if (typeof a === 'object' && typeof b === 'object') {
    for (const [at, member] of a.entries()) {
      const other = b[at];
      const order = other === undefined ? 1 : compare(member, other);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if (typeOf(a) !== typeOf(b)) return typeOf(a) - typeOf(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

const isRange = (key: Key | Range): key is Range => typeof key === 'object' && 'lower' in key;
const matches = (key: Key, query: Key | Range): boolean =>
  isRange(query)
    ? compare(query.lower, key) <= 0 && compare(key, query.upper) <= 0
    : compare(key, query) === 0;

function expectWritable(mode: IDBTransactionMode): void {
  if (mode !== 'readwrite')
    throw new DOMException('The transaction is read-only.', 'ReadOnlyError');
}

/**
 * Replaces the browser's IndexedDB, which the test environment lacks, by one in memory with the
 * requests that the application uses. Returns its records by store, and the open connections.
 */
export function useIndexedDb() {
  const stores = new Map<string, { key: Key; value: unknown }[]>();
  const state = { connections: 0 };
  const find = (name: string, query: Key | Range) =>
    (stores.get(name) ?? [])
      .filter(({ key }) => matches(key, query))
      .toSorted((a, b) => compare(a.key, b.key))
      .map(({ value }): unknown => structuredClone(value));
  const remove = (name: string, query: Key | Range): void =>
    void stores.set(
      name,
      (stores.get(name) ?? []).filter(({ key }) => !matches(key, query)),
    );
  const storeOf = (name: string, mode: IDBTransactionMode) => ({
    get: (key: Key) => ({ result: find(name, key)[0] }),
    getAll: (query: Range) => ({ result: find(name, query) }),
    put: (value: unknown, key: Key) => {
      expectWritable(mode);
      remove(name, key);
      stores.get(name)?.push({ key, value: structuredClone(value) });
      return { result: key };
    },
    delete: (query: Key | Range) => {
      expectWritable(mode);
      remove(name, query);
      return { result: undefined };
    },
  });
  /** Calls the listener of one event soon, as the browser does. */
  const emit = (wanted: string) => ({
    addEventListener: (event: string, listener: () => void) => {
      if (event === wanted) queueMicrotask(listener);
    },
  });
  const database = {
    createObjectStore: (name: string) => stores.set(name, []),
    transaction: (name: string, mode: IDBTransactionMode) => ({
      ...emit('complete'),
      objectStore: () => storeOf(name, mode),
    }),
    close: () => (state.connections -= 1),
  };
  vi.stubGlobal('IDBKeyRange', { bound: (lower: Key, upper: Key): Range => ({ lower, upper }) });
  vi.stubGlobal('indexedDB', {
    open: () => ({
      result: database,
      addEventListener: (event: string, listener: () => void) => {
        if (event === 'upgradeneeded' && stores.size === 0) listener();
        if (event !== 'success') return;
        state.connections += 1;
        queueMicrotask(listener);
      },
    }),
  });
  const records = (name: string): unknown[] => (stores.get(name) ?? []).map(({ value }) => value);
  return { records, state };
}
