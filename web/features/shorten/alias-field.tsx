import { ALIAS_MAX } from '#contract/limits.ts';
import { shortHost } from '#web/shared/config.ts';
import { Field } from '#web/ui/field.tsx';
import { controlClass, VERBATIM } from '#web/ui/input.tsx';
import { sanitizeAlias } from './sanitize-alias.ts';

/** The field for the code of a new link, after the host of short links. */
export const AliasField = ({
  alias,
  error,
  onAlias,
}: {
  alias: string;
  error: string | undefined;
  onAlias: (alias: string) => void;
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
        <span className="flex min-h-8.5 max-w-full items-center px-3 py-1.5 font-mono text-13 [overflow-wrap:anywhere] text-ink-3 pointer-coarse:min-h-10.5">
          {shortHost()}/
        </span>
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
