import { useState, type FormEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { authErrorMessage, verifyCode } from './auth-api.ts';
import { codeError } from './auth-validation.ts';
import { useAsyncAction } from './use-async-action.ts';

/**
 * Takes the 6-digit code of a mail, for someone who reads the mail on another device. The right
 * code signs in; the page's guard or `onDone` then decides what comes next.
 */
export function CodeForm({
  email,
  type,
  label = 'Or enter the 6-digit code',
  onDone,
}: {
  email: string;
  type: 'signup' | 'recovery';
  label?: string;
  onDone?: () => void;
}) {
  const [code, setCode] = useState('');
  const [invalid, setInvalid] = useState('');
  const verify = useAsyncAction(verifyCode, onDone);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const error = codeError(code);
    setInvalid(error);
    if (error === '') verify.run({ email, code, type });
    else focusFirstErrorSoon(event.currentTarget);
  };
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field label={label} error={invalid === '' ? authErrorMessage(verify.error) : invalid}>
          {(control) => (
            <Input
              {...control}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={9}
              className="font-mono tabular-nums tracking-widest"
              value={code}
              onChange={(event) => {
                setCode(event.target.value.replaceAll(/[^\d ]/g, ''));
                setInvalid('');
                verify.reset();
              }}
            />
          )}
        </Field>
      </div>
      <Button type="submit" className="mt-6.5" disabled={code === ''} pending={verify.pending}>
        Continue
      </Button>
    </form>
  );
}
