import { useQueryParams } from '#web/shared/page/use-query-params.ts';

/** The most links and tags on one chart, as the server has it. */
export const COMPARED_MAX = { links: 5, tags: 2 } as const;
export type ComparedKind = keyof typeof COMPARED_MAX;

export type ComparedNames = {
  /** Null if nothing is compared. */
  kind: ComparedKind | null;
  names: readonly string[];
  isFull: boolean;
  start: (kind: ComparedKind) => void;
  /** Adds a link's code or a tag, or removes it. */
  toggle: (kind: ComparedKind, name: string) => void;
  stop: () => void;
};

/** Holds in the address what is compared: `compare=links&with=spring,autumn`. */
export function useCompared(): ComparedNames {
  const [query, setQuery] = useQueryParams();
  const text = query.get('compare');
  const kind = text === 'links' || text === 'tags' ? text : null;
  const all = (query.get('with') ?? '').split(',').filter((name) => name !== '');
  const names = kind === null ? [] : [...new Set(all)].slice(0, COMPARED_MAX[kind]);
  return {
    kind,
    names,
    isFull: kind !== null && names.length === COMPARED_MAX[kind],
    start: (next) => setQuery({ compare: next, with: '' }),
    toggle: (next, name) => {
      const before = next === kind ? names : [];
      const after = before.includes(name)
        ? before.filter((one) => one !== name)
        : [...before, name];
      setQuery({ compare: next, with: after.slice(0, COMPARED_MAX[next]).join(',') });
    },
    stop: () => setQuery({ compare: '', with: '' }),
  };
}
