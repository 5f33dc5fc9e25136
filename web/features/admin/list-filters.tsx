import { useCallback } from 'react';
import { useQueryParams } from '#web/shared/use-query-params.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

/**
 * A filter of a list. `any` labels the option that does not filter, and `options` are labels by
 * value.
 */
export type AdminFilter = {
  name: string;
  label: string;
  any: string;
  options: Readonly<Record<string, string>>;
};

/**
 * The search and filters of the open tab, stored in the URL. `params` is the API's query, without
 * values that no filter offers. `set` changes some of them; '' removes one.
 */
export function useListFilters(filters: readonly AdminFilter[]) {
  const [query, set] = useQueryParams();
  const params: Record<string, string> = {};
  for (const { name, options } of filters) {
    const value = query.get(name);
    if (value !== null && Object.hasOwn(options, value)) params[name] = value;
  }
  return { q: query.get('q') ?? '', params, set };
}

export function ListFilterBar({
  searchLabel,
  filters,
  list: { q, params, set },
}: {
  searchLabel: string;
  filters: readonly AdminFilter[];
  list: ReturnType<typeof useListFilters>;
}) {
  const onSearch = useCallback((text: string) => set({ q: text }), [set]);
  const isFiltered = q !== '' || Object.keys(params).length > 0;
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-64 sm:max-w-form sm:basis-48">
        <SearchBox label={searchLabel} search={q} onSearch={onSearch} />
      </div>
      {filters.map(({ name, label, any, options }) => (
        <div key={name} className="min-w-0 max-sm:flex-1 max-sm:basis-36">
          <SelectField
            label={label}
            hideLabel
            choices={[['', any], ...Object.entries(options)]}
            value={params[name] ?? ''}
            onSelect={(value) => set({ [name]: value })}
          />
        </div>
      ))}
      {isFiltered && (
        <Button
          variant="ghost"
          onClick={() =>
            set({ q: '', ...Object.fromEntries(filters.map(({ name }) => [name, ''])) })
          }
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
