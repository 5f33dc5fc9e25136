import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { VARIANTS_MAX } from '#contract/limits.ts';
import { ownShare, type LinkVariant } from '#contract/links/link-variants.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { SettingErrorAt } from './link-settings.ts';

type VariantsFieldProps = {
  variants: LinkVariant[];
  error: string | undefined;
  errorAt: SettingErrorAt;
  onVariants: (variants: LinkVariant[]) => void;
};

/** The share of a new variant: half of what the link's own destination has. */
const newShare = (variants: readonly LinkVariant[]): number =>
  Math.max(1, Math.floor(ownShare(variants) / 2));

/** Edits the destinations between which a link divides its visitors, and their shares. */
export function VariantsField({ variants, error, errorAt, onVariants }: VariantsFieldProps) {
  const isAdded = useRef(false);
  const list = useRef<HTMLUListElement>(null);
  const add = (): void => {
    isAdded.current = true;
    onVariants([...variants, { url: '', weight: newShare(variants) }]);
    announce(`Variant ${variants.length + 1} added.`);
  };
  const remove = (at: number): void => {
    // From the largest number on, the button to add one appears with the change.
    flushSync(() => onVariants(variants.toSpliced(at, 1)));
    announce(`Variant ${at + 1} removed.`);
    list.current?.parentElement?.querySelector<HTMLElement>('[data-add-variant]')?.focus();
  };
  const isAtVariant = variants.some((_, at) => errorAt?.(`variants.${at}`) !== undefined);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium text-ink">Variants</legend>
      <p className="mb-3 text-13 text-ink-3">
        Divide your visitors between several destinations. A visitor gets the same one all day.
        Cards in chats get the link’s own destination.
      </p>
      <ul ref={list} className="space-y-3 empty:hidden">
        {variants.map((variant, at) => (
          <li
            // oxlint-disable-next-line react/no-array-index-key -- its fields hold no state
            key={at}
            ref={(item) => {
              if (item === null || !isAdded.current || at < variants.length - 1) return;
              isAdded.current = false;
              item.querySelector('input')?.focus();
            }}
            className="rounded-md border border-line p-3"
          >
            <Variant
              variant={variant}
              at={at}
              errorAt={errorAt}
              onVariant={(changed) => onVariants(variants.with(at, changed))}
              onRemove={() => remove(at)}
            />
          </li>
        ))}
      </ul>
      {variants.length > 0 && <OwnShare share={ownShare(variants)} />}
      <ErrorText className="mt-2">{isAtVariant ? undefined : error}</ErrorText>
      {variants.length < VARIANTS_MAX && (
        <Button data-add-variant size="sm" className="mt-3" onClick={add}>
          <Plus className="size-4" />
          Add variant
        </Button>
      )}
    </fieldset>
  );
}

/** Says what is left for the link's own destination, also to screen readers while one types. */
const OwnShare = ({ share }: { share: number }) => (
  <output className={`mt-2 block text-13 ${share < 1 ? 'text-danger' : 'text-ink-2'}`}>
    {share < 1
      ? `The shares add up to ${100 - share}%. They can add up to at most 99%, because the link’s own destination needs the rest.`
      : `The destination above gets the other ${share}%.`}
  </output>
);

function Variant({
  variant,
  at,
  errorAt,
  onVariant,
  onRemove,
}: {
  variant: LinkVariant;
  /** Its index. */
  at: number;
  errorAt: SettingErrorAt;
  onVariant: (variant: LinkVariant) => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 grow basis-56">
        <TextField
          {...VERBATIM}
          label={`Destination of variant ${at + 1}`}
          placeholder="https://example.com/other-page"
          dir="ltr"
          inputMode="url"
          error={errorAt?.(`variants.${at}.url`)}
          value={variant.url}
          onText={(url) => onVariant({ ...variant, url })}
        />
      </div>
      <div className="w-24 shrink-0">
        <TextField
          {...VERBATIM}
          label="Share in %"
          aria-label={`Share of variant ${at + 1} in percent`}
          inputMode="numeric"
          maxLength={2}
          error={errorAt?.(`variants.${at}.weight`)}
          value={variant.weight === 0 ? '' : String(variant.weight)}
          onText={(text) => onVariant({ ...variant, weight: Number(text.replaceAll(/\D/g, '')) })}
        />
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="mt-7 w-8 px-0! pointer-coarse:w-11"
        aria-label={`Remove variant ${at + 1}`}
        onClick={onRemove}
      >
        <Trash2 className="size-4" />
      </Button>
    </div>
  );
}
