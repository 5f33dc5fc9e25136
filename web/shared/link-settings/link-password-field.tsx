import { useState } from 'react';
import { LINK_PASSWORD_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, VERBATIM } from '#web/ui/input.tsx';
import { SETTING_FIELDS } from './link-settings.ts';

type LinkPasswordFieldProps = {
  /** True for the stored password, which nobody can read. */
  password: string | true;
  error: string | undefined;
  onPassword: (password: string | true) => void;
};

/** Sets, changes or removes the password of a link. It is readable here, because it is passed on. */
export function LinkPasswordField({ password, error, onPassword }: LinkPasswordFieldProps) {
  const [isStored] = useState(password === true);
  const { label, hint } = SETTING_FIELDS.password;
  if (password === true)
    return (
      <fieldset aria-label={label} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-14 text-ink">
          <span className="font-medium">{label}:</span> set
        </p>
        <Button size="sm" onClick={() => onPassword('')}>
          Change or remove password
        </Button>
        {error !== undefined && <p className="w-full text-13 text-danger">{error}</p>}
      </fieldset>
    );
  return (
    <div className="space-y-2">
      <Field
        label={`${label} (optional)`}
        hint={isStored ? `${hint} Leave it empty to remove the password.` : hint}
        error={error}
      >
        {(control) => (
          <Input
            {...VERBATIM}
            {...control}
            value={password}
            maxLength={LINK_PASSWORD_MAX}
            autoComplete="off"
            onChange={(event) => onPassword(event.target.value)}
          />
        )}
      </Field>
      {isStored && (
        <Button size="sm" variant="ghost" className="-ms-2.5" onClick={() => onPassword(true)}>
          Keep the present password
        </Button>
      )}
    </div>
  );
}
