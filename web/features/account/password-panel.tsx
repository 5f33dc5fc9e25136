import {
  authErrorMessage,
  changePassword,
  isCurrentPasswordError,
} from '#web/shared/sign-in/auth-api.ts';
import { toastPasswordChanged } from '#web/shared/sign-in/auth-toasts.ts';
import { useCheckedText } from '#web/shared/sign-in/auth-checked-text.ts';
import { newPasswordError, passwordHint } from '#web/shared/sign-in/auth-validation.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Form } from '#web/ui/form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CurrentPasswordField, proofBeforeForm, useProvenChange } from './identity-check.tsx';

/** Changes the password, which ends all other sessions of the member. */
export function PasswordPanel({ email }: { email: string }) {
  const password = useCheckedText(newPasswordError);
  const { check, change, codeDialog, missing } = useProvenChange(
    (_: void, currentPassword) => changePassword({ password: password.text, currentPassword }),
    (_, proof) => {
      password.field.onText('');
      proof.setPassword('');
      proof.restart();
      toastPasswordChanged();
    },
  );
  const required = useRequired({ current: missing });
  const message = authErrorMessage(change.error);
  const isAboutCurrent = isCurrentPasswordError(change.error);
  return (
    <Panel
      title="Password"
      hint="Changing your password signs out your other devices. We’ll email you about the change."
    >
      {codeDialog}
      {proofBeforeForm(check, email) ?? (
        <Form
          error={change.error}
          className="flex max-w-form flex-col gap-4"
          onSubmit={() => {
            const isGiven = required.check();
            if (password.check() && isGiven) change.mutate();
          }}
        >
          <CurrentPasswordField
            check={check}
            error={required.at('current') || (isAboutCurrent ? message : '')}
          />
          <PasswordField
            label="New password"
            hint={passwordHint}
            name="new-password"
            autoComplete="new-password"
            {...password.field}
            error={password.field.error || (isAboutCurrent ? '' : message)}
          />
          <div>
            <Button type="submit" pending={change.isPending}>
              Change password
            </Button>
          </div>
        </Form>
      )}
    </Panel>
  );
}
