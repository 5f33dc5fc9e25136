import type { ReactNode } from 'react';
import { Checkbox } from './checkbox.tsx';
import { ErrorText } from './error-text.tsx';

export function CheckboxGroup<Value extends string>({
  legend,
  choices,
  chosen,
  error,
  onChange,
}: {
  legend: string;
  choices: readonly { value: Value; label: ReactNode; hint: string }[];
  chosen: readonly Value[];
  error: string | undefined;
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <fieldset className="space-y-2.5">
      <legend className="mb-1.5 text-13 font-medium text-ink">{legend}</legend>
      {choices.map(({ value, label, hint }) => (
        <Checkbox
          key={value}
          label={label}
          hint={hint}
          checked={chosen.includes(value)}
          aria-invalid={error === undefined ? undefined : true}
          onChange={(event) =>
            onChange(
              event.target.checked ? [...chosen, value] : chosen.filter((other) => other !== value),
            )
          }
        />
      ))}
      <ErrorText>{error}</ErrorText>
    </fieldset>
  );
}
