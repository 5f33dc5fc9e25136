import type { OverviewResponse } from '#contract/reports/overview.ts';
import { domainChoices, domainInAddress } from '#web/shared/link-settings/domain-choices.ts';
import { splitHost } from '#web/shared/texts/format.ts';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import type { OverviewScope } from './overview-queries.ts';

/** Chooses the links that are counted, by tag, by the site that they lead to and by domain. */
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
  const known = domainChoices(useDomainList()).map(([name]) => domainInAddress(name));
  const domains = withChosen(known, chosen.domain);
  const isChosen = Object.values(chosen).some((value) => value !== '');
  if (tags.length === 0 && hosts.length < 2 && domains.length < 2 && !isChosen) return null;
  const scopes = [
    { name: 'tag', label: 'Tag', any: 'All tags', values: withChosen(tags, chosen.tag) },
    { name: 'host', label: 'Site', any: 'All sites', values: hosts },
    ...(domains.length < 2
      ? []
      : [{ name: 'domain', label: 'Domain', any: 'All domains', values: domains } as const]),
  ] as const;
  return (
    <search aria-label="Links that are counted" className="mb-4 flex flex-wrap gap-2 print:hidden">
      {scopes.map(({ name, label, any, values }) => (
        <div key={name} className="min-w-0 grow basis-32 sm:max-w-56">
          <SelectField
            label={label}
            hideLabel
            value={chosen[name]}
            choices={[['', any], ...values.map((value) => [value, value] as const)]}
            onSelect={(value) => onChoose({ [name]: value })}
          />
        </div>
      ))}
    </search>
  );
}

const withChosen = (names: readonly string[], one: string): string[] =>
  one === '' || names.includes(one) ? [...names] : [one, ...names];

/** The sites of the links with the most clicks, and the chosen one. */
function hostsOf(overview: OverviewResponse | undefined, chosen: string): string[] {
  const top = overview?.analytics.topLinks.map(({ longUrl: url }) => splitHost(url).host) ?? [];
  return [...new Set([...(chosen === '' ? [] : [chosen]), ...top])].sort();
}
