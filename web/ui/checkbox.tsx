import { useId, type ComponentProps, type ReactNode } from 'react';
import { ErrorText } from './error-text.tsx';

/**
 * A checkbox with a label. `hint` and `error` describe it; a hint says for example why it is
 * disabled.
 */
export function Checkbox({
  label,
  hint,
  error,
  ...rest
}: { label: ReactNode; hint?: ReactNode; error?: string | undefined } & Omit<
  ComponentProps<'input'>,
  'type'
>) {
  const id = useId();
  const describedBy = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={describedBy.join(' ') || undefined}
        aria-invalid={error === undefined ? undefined : true}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...rest}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-14 text-ink">
          {label}
        </label>
        <ErrorText id={`${id}-error`}>{error}</ErrorText>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-13 text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

export const NONE_CHOSEN = 'Choose at least one.';

export function CheckboxGroup<Value extends string>({
  legend,
  choices,
  chosen,
  error,
  inline = false,
  onChange,
}: {
  legend: string;
  choices: readonly { value: Value; label: ReactNode; hint?: string }[];
  chosen: readonly Value[];
  error: string | undefined;
  /** Beside each other, for short labels. */
  inline?: boolean;
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <fieldset className="min-w-0 space-y-2.5">
      <legend className="mb-1.5 text-13 font-medium text-ink">{legend}</legend>
      <div className={inline ? 'flex flex-wrap gap-x-4 gap-y-2.5' : 'space-y-2.5'}>
        {choices.map(({ value, label, hint }) => (
          <Checkbox
            key={value}
            label={label}
            hint={hint}
            checked={chosen.includes(value)}
            aria-invalid={error === undefined ? undefined : true}
            onChange={(event) =>
              onChange(
                event.target.checked
                  ? [...chosen, value]
                  : chosen.filter((other) => other !== value),
              )
            }
          />
        ))}
      </div>
      <ErrorText>{error}</ErrorText>
    </fieldset>
  );
}
