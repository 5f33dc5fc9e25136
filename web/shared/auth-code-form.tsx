import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { verifyCode, authErrorMessage } from './auth-api.ts';
import { codeError } from './auth-validation.ts';
import { useAsyncAction } from './use-async-action.ts';

/**
 * The six digits of a mail, for somebody who reads it on another device. A right code signs in here, and the page's guard (or
 * the form that waits for a session) moves on.
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
  const [problem, setProblem] = useState('');
  const call = useAsyncAction(verifyCode, onDone);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = codeError(code);
    setProblem(found);
    if (found === '') call.run({ email, code, type });
    else focusFirstErrorSoon(event.currentTarget);
  };
  const refused = call.error === null ? '' : authErrorMessage(call.error);
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field label={label} error={problem === '' ? refused : problem}>
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
                setProblem('');
                call.reset();
              }}
            />
          )}
        </Field>
      </div>
      <Button type="submit" className="mt-6.5" disabled={code === ''} pending={call.pending}>
        Continue
      </Button>
    </form>
  );
}
