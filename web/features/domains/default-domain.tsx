import type { DomainsResponse } from '#contract/domains.ts';
import { shortHost } from '#web/shared/page/config.ts';
import { toast } from '#web/ui/announcer.ts';
import { Panel } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { useSetDefault } from './queries.ts';

/** Chooses the domain of new links, where there is a choice. */
export function DefaultDomain({ list }: { list: DomainsResponse }) {
  const save = useSetDefault((name) =>
    toast(`New links are on ${name === '' ? shortHost() : name}.`),
  );
  const choices = domainChoices(list);
  if (choices.length < 2) return null;
  return (
    <div className="mt-6">
      <Panel title="New links" hint="You can choose another domain for each link.">
        <div className="max-w-form">
          <SelectField
            label="Domain of new links"
            choices={choices}
            value={save.isPending ? save.variables : list.defaultDomain}
            onSelect={(name) => save.mutate(name)}
          />
          <ErrorText className="mt-1.5">{save.error?.message}</ErrorText>
        </div>
      </Panel>
    </div>
  );
}
