import type { ListedLink } from '#contract/links/links.ts';
import { domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { SelectField } from '#web/ui/select-field.tsx';

/** Moves a link to another domain, where the member has several. */
export function DomainField({
  link,
  domain,
  error,
  onDomain,
}: {
  link: ListedLink;
  domain: string;
  error: string | undefined;
  onDomain: (domain: string) => void;
}) {
  const list = useDomainList();
  const choices = domainChoices(list, link.domain);
  if (choices.length < 2) return null;
  const isOwn = link.domain === '' || list?.domains.some(({ name }) => name === link.domain);
  return (
    <SelectField
      label="Domain"
      hint={
        domain === link.domain || isOwn !== true
          ? undefined
          : `${readableUrl(link.short_url)} keeps redirecting, and its clicks count for this link.`
      }
      error={error}
      choices={choices}
      value={domain}
      onSelect={onDomain}
    />
  );
}
