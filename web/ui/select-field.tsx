import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Select, type SelectProps } from './input.tsx';

type FieldProps = Omit<ComponentProps<typeof Field>, 'children' | 'action'>;

/** A field with a list of choices. `onSelect` receives the value as text. */
export function SelectField({
  label,
  hint,
  error,
  hideLabel = false,
  ...select
}: FieldProps & SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}
