import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { authErrorMessage, verifyCode } from './auth-api.ts';
import { codeError } from './auth-validation.ts';
import { useAsyncAction } from './use-async-action.ts';

/**
 * Accepts the 6-digit code of a mail, for people who read mail on another device. The right code
 * signs in; the page's guard or `onDone` then continues.
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
  const submit = (): void => {
    const error = codeError(code);
    setInvalid(error);
    if (error === '') verify.run({ email, code, type });
  };
  return (
    <Form onSubmit={submit} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          error={invalid === '' ? authErrorMessage(verify.error) : invalid}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          className="font-mono tabular-nums tracking-widest"
          value={code}
          onText={(text) => {
            setCode(text.replaceAll(/[^\d ]/g, ''));
            setInvalid('');
            verify.reset();
          }}
        />
      </div>
      <Button type="submit" className="mt-6.5" disabled={code === ''} pending={verify.pending}>
        Continue
      </Button>
    </Form>
  );
}
