import { ChevronDown } from 'lucide-react';
import type { DomainsResponse } from '#contract/domains.ts';
import { ALIAS_MAX } from '#contract/limits.ts';
import { shortHost } from '#web/shared/page/config.ts';
import { chosenDomain, domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { controlClass, VERBATIM } from '#web/ui/input.tsx';
import { sanitizeAlias } from './sanitize-alias.ts';
import type { NewLinkForm } from './use-link-form.ts';

/**
 * The field for the code of a new link, after its host: a select where the member has several.
 * `list` is undefined until it has loaded.
 */
export const AliasField = ({
  list,
  alias,
  domain,
  error,
  onAlias,
  onDomain,
}: NewLinkForm['alias'] & {
  list: DomainsResponse | undefined;
  domain: string | undefined;
  onDomain: (domain: string) => void;
}) => (
  <Field
    label="Alias (optional)"
    error={error}
    hint={`Up to ${ALIAS_MAX} letters, digits, hyphens and underscores.`}
  >
    {(control) => (
      // The host is always complete. If it leaves no room, the input moves below it.
      <div
        dir="ltr"
        className="flex flex-wrap items-stretch rounded-md border border-line-strong bg-sunken transition-colors duration-150 hover:border-ink-3 has-aria-invalid:border-bad"
      >
        <Host
          choices={domainChoices(list)}
          chosen={chosenDomain(list, domain)}
          onDomain={onDomain}
        />
        <input
          {...control}
          value={alias}
          onChange={(event) => onAlias(sanitizeAlias(event.target.value))}
          {...VERBATIM}
          autoCorrect="off"
          placeholder="spring-sale"
          className={`${controlClass} h-8.5 w-auto! flex-1 basis-36 border-0! font-mono pointer-coarse:h-10.5`}
        />
      </div>
    )}
  </Field>
);

function Host({
  choices,
  chosen,
  onDomain,
}: {
  choices: readonly (readonly [string, string])[];
  chosen: string;
  onDomain: (domain: string) => void;
}) {
  if (choices.length < 2)
    return (
      <span className="flex min-h-8.5 max-w-full items-center px-3 py-1.5 font-mono text-13 [overflow-wrap:anywhere] text-ink-3 pointer-coarse:min-h-10.5">
        {shortHost()}/
      </span>
    );
  return (
    <span className="relative flex max-w-full items-stretch font-mono text-13 text-ink-2">
      <select
        aria-label="Domain"
        value={chosen}
        onChange={(event) => onDomain(event.target.value)}
        className="min-h-8.5 max-w-full min-w-0 cursor-pointer appearance-none truncate rounded-md bg-transparent ps-3 pe-8 text-16 -outline-offset-2 field-sizing-content hover:text-ink pointer-coarse:min-h-10.5 sm:text-13"
      >
        {choices.map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute inset-e-2 top-1/2 size-4 -translate-y-1/2 text-ink-3" />
    </span>
  );
}

/** The part of a form that the field shows. An error about another domain than the chosen one ends. */
export const domainOf = ({
  draft: { domain },
  set,
  alias,
  settings,
}: Pick<NewLinkForm, 'draft' | 'set' | 'alias' | 'settings'>) => ({
  ...alias,
  domain,
  error: alias.error ?? settings.errorAt('domain'),
  onDomain: (chosen: string): void => {
    set({ domain: chosen });
    alias.onAlias(alias.alias);
  },
});
