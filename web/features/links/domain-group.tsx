import { domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { OptionGroup } from '#web/shared/link-settings/option-group.tsx';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { SelectField } from '#web/ui/select-field.tsx';

/** The value of the choice that moves no link. No host has this name. */
const STAYS = '-';

/** Moves links to another domain, where the member has several. `domain` is undefined if they stay. */
export function DomainGroup({
  domain,
  error,
  onDomain,
}: {
  domain: string | undefined;
  error: string | undefined;
  onDomain: (domain: string | undefined) => void;
}) {
  const choices = domainChoices(useDomainList());
  if (choices.length < 2) return null;
  return (
    <OptionGroup
      title="Domain"
      about="The host of their short URLs."
      summary={choices.find(([name]) => name === domain)?.[1] ?? ''}
      hasError={error !== undefined}
    >
      <SelectField
        label="Domain"
        hint={
          domain === undefined
            ? undefined
            : 'Earlier short URLs keep redirecting, and their clicks count for the links.'
        }
        error={error}
        choices={[[STAYS, 'Stays as it is'], ...choices]}
        value={domain ?? STAYS}
        onSelect={(name) => onDomain(name === STAYS ? undefined : name)}
      />
    </OptionGroup>
  );
}
