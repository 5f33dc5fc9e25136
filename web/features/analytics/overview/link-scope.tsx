import type { OverviewResponse } from '#contract/overview.ts';
import { splitHost } from '#web/shared/format.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import type { OverviewScope } from './overview-queries.ts';

/** Chooses the links that are counted, by tag and by the site that they lead to. */
export function LinkScope({
  tags,
  overview,
  chosen,
  onChoose,
}: {
  tags: readonly string[];
  overview: OverviewResponse | undefined;
  chosen: OverviewScope;
  onChoose: (change: Partial<OverviewScope>) => void;
}) {
  const hosts = hostsOf(overview, chosen.host);
  if (tags.length === 0 && hosts.length < 2 && chosen.tag === '' && chosen.host === '') return null;
  const withChosen = (names: readonly string[], one: string): string[] =>
    one === '' || names.includes(one) ? [...names] : [one, ...names];
  return (
    <search aria-label="Links that are counted" className="mb-4 flex flex-wrap gap-2 print:hidden">
      {[
        { name: 'tag', label: 'Tag', any: 'All tags', values: withChosen(tags, chosen.tag) },
        { name: 'host', label: 'Site', any: 'All sites', values: hosts },
      ].map(({ name, label, any, values }) => (
        <div key={name} className="min-w-0 flex-1 sm:max-w-56">
          <SelectField
            label={label}
            hideLabel
            value={name === 'tag' ? chosen.tag : chosen.host}
            choices={[['', any], ...values.map((value) => [value, value] as const)]}
            onSelect={(value) => onChoose({ [name]: value })}
          />
        </div>
      ))}
    </search>
  );
}

/** The sites of the links with the most clicks, and the chosen one. */
function hostsOf(overview: OverviewResponse | undefined, chosen: string): string[] {
  const top = overview?.analytics.topLinks.map(({ long_url: url }) => splitHost(url).host) ?? [];
  return [...new Set([...(chosen === '' ? [] : [chosen]), ...top])].sort();
}
