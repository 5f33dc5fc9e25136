import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { authErrorMessage, changePassword, isCurrentPasswordError } from '#web/shared/auth-api.ts';
import { newPasswordError } from '#web/shared/auth-validation.ts';
import { recoverFocus } from '#web/shared/use-heading-focus.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { CurrentPasswordField, SettingsMailCheck, useIdentityCheck } from './identity-check.tsx';

/** Changes the password, which ends all other sessions of the member. */
export function PasswordPanel({ email }: { email: string }) {
  const check = useIdentityCheck();
  const [password, setPassword] = useState('');
  const [invalid, setInvalid] = useState('');
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setPassword('');
      check.setPassword('');
      check.choosePassword();
      toast('Password changed.', { note: 'Your other devices are signed out.' });
      // The button is disabled while the fields are empty and would lose the focus.
      const { activeElement } = document;
      recoverFocus(activeElement instanceof HTMLButtonElement ? activeElement : null);
    },
    onError: (error) => {
      // The code was entered more than ten minutes ago, so the service asks for the password again.
      if (check.method === 'code' && isCurrentPasswordError(error)) check.choosePassword();
    },
  });
  const message = authErrorMessage(change.error);
  const isAboutCurrent = isCurrentPasswordError(change.error);
  return (
    <Panel
      title="Password"
      hint="Changing your password signs out your other devices. We’ll email you about the change."
    >
      {check.method === 'mail' ? (
        <SettingsMailCheck check={check} email={email} />
      ) : (
        <Form
          error={change.error}
          className="flex max-w-form flex-col gap-4"
          onSubmit={() => {
            const error = newPasswordError(password);
            setInvalid(error);
            if (error === '') change.mutate({ password, currentPassword: check.password });
          }}
        >
          <CurrentPasswordField check={check} error={isAboutCurrent ? message : ''} />
          <Field
            label="New password"
            hint={`At least ${PASSWORD_MIN} characters.`}
            error={invalid === '' && !isAboutCurrent ? message : invalid}
          >
            {(control) => (
              <PasswordInput
                {...control}
                name="new-password"
                autoComplete="new-password"
                value={password}
                onChange={(event) => {
                  setPassword(event.target.value);
                  setInvalid('');
                }}
              />
            )}
          </Field>
          <div>
            <Button
              type="submit"
              pending={change.isPending}
              disabled={password === '' || (check.method === 'password' && check.password === '')}
            >
              Change password
            </Button>
          </div>
        </Form>
      )}
    </Panel>
  );
}
