import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import type { TextField } from './text-field.tsx';

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({
  label,
  hint,
  error,
  action,
  onText,
  ...input
}: Omit<ComponentProps<typeof TextField>, 'hideLabel' | 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error} action={action}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            {...input}
            type={shown ? 'text' : 'password'}
            className="pe-11 placeholder-shown:text-ellipsis"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onText(event.target.value)}
          />
          <button
            type="button"
            aria-label="Show password"
            aria-pressed={shown}
            onClick={() => setShown((before) => !before)}
            className="absolute inset-y-0 inset-e-0 inline-flex w-10 items-center justify-center rounded-md text-ink-3 -outline-offset-2 hover:text-ink active:bg-pressed"
          >
            <Icon className="size-4" />
          </button>
        </div>
      )}
    </Field>
  );
}
