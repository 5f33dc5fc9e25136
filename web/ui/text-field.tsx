import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

type FieldProps = Omit<ComponentProps<typeof Field>, 'children'>;

export function TextField({
  label,
  hint,
  error,
  action,
  hideLabel = false,
  onText,
  ...input
}: FieldProps & ComponentProps<typeof Input> & { onText: (text: string) => void }) {
  return (
    <Field label={label} hint={hint} error={error} action={action} hideLabel={hideLabel}>
      {(control) => (
        <Input {...control} {...input} onChange={(event) => onText(event.target.value)} />
      )}
    </Field>
  );
}
