import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { changePassword, isCurrentPasswordError, authErrorMessage } from '#web/shared/auth-api.ts';
import { newPasswordError } from '#web/shared/auth-validation.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Field, focusFirstError, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { CurrentPasswordField, MailCheck, useIdentityCheck } from './identity-check.tsx';

/** A new password; every other session of the member ends with the old one. */
export function PasswordPanel({ email }: { email: string }) {
  const check = useIdentityCheck();
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setPassword('');
      check.setPassword('');
      check.choosePassword();
      toast('Password changed.', { note: 'Your other devices are signed out.' });
    },
    onError: (error) => {
      // The code was entered more than ten minutes ago.
      if (check.by === 'code' && isCurrentPasswordError(error)) check.choosePassword();
    },
  });
  useEffect(() => {
    if (change.error !== null) focusFirstError(form.current);
  }, [change.error]);
  const said = authErrorMessage(change.error);
  const isAboutCurrent = isCurrentPasswordError(change.error);
  return (
    <Panel title="Password" hint="Changing it signs out your other devices. We email you when it changes.">
      {check.by === 'mail' ? (
        <MailCheck check={check} email={email} next="/settings" />
      ) : (
        <form
          ref={form}
          noValidate
          className="flex max-w-form flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const found = newPasswordError(password);
            setProblem(found);
            if (found === '') change.mutate({ password, currentPassword: check.password });
            else focusFirstErrorSoon(event.currentTarget);
          }}
        >
          <CurrentPasswordField check={check} error={isAboutCurrent ? said : ''} />
          <Field
            label="New password"
            hint={`At least ${PASSWORD_MIN} characters.`}
            error={problem === '' && !isAboutCurrent ? said : problem}
          >
            {(control) => (
              <PasswordInput
                {...control}
                name="new-password"
                autoComplete="new-password"
                value={password}
                onChange={(event) => {
                  setPassword(event.target.value);
                  setProblem('');
                }}
              />
            )}
          </Field>
          <div>
            <Button
              type="submit"
              pending={change.isPending}
              disabled={password === '' || (check.by === 'password' && check.password === '')}
            >
              Change password
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
}
