import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Select } from './input.tsx';

type Choice = { value: string | number; label: string };
type FieldProps = Omit<ComponentProps<typeof Field>, 'children'>;

/** A field with a list of choices. `onSelect` gets the value of one as text. */
export function SelectField({
  label,
  hint,
  error,
  hideLabel = false,
  choices,
  onSelect,
  ...select
}: FieldProps &
  Omit<ComponentProps<typeof Select>, 'onSelect'> & {
    choices: readonly Choice[];
    onSelect: (value: string) => void;
  }) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <Select {...control} {...select} onChange={(event) => onSelect(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
