import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

/** The email field of a sign-in form. */
export function EmailField({
  value,
  onChange,
  error,
  placeholder,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string;
  placeholder?: string;
}) {
  return (
    <Field label="Email" error={error}>
      {(control) => (
        <Input
          {...control}
          type="email"
          name="email"
          autoComplete="email"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
