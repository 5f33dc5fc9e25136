import { useState } from 'react';
import type { ReactNode } from 'react';
import { mailsIncludeCode, sendRecovery } from '#web/shared/auth-api.ts';
import { CodeForm } from '#web/shared/auth-code-form.tsx';
import { MailButton } from '#web/shared/auth-mail-button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

/**
 * How the member shows that it is them, before what a stranger at an open browser must not do: with the current password, or
 * with a code from a mail. `by: 'code'`: a code was entered, which the server accepts for ten minutes.
 */
export type IdentityCheck = {
  by: 'password' | 'mail' | 'code';
  password: string;
  setPassword: (password: string) => void;
  chooseMail: () => void;
  choosePassword: () => void;
  codeEntered: () => void;
};

export function useIdentityCheck(): IdentityCheck {
  const [by, setBy] = useState<IdentityCheck['by']>('password');
  const [password, setPassword] = useState('');
  return {
    by,
    password,
    setPassword,
    chooseMail: () => setBy('mail'),
    choosePassword: () => setBy('password'),
    codeEntered: () => {
      setPassword('');
      setBy('code');
    },
  };
}

/** The field for the current password, with the way to a mail for somebody who forgot it. Once a code was entered, it says so. */
export function CurrentPasswordField({ check, error }: { check: IdentityCheck; error: string }) {
  if (check.by === 'code')
    return <p className="text-13 text-ink-2">You entered the code from the email, so the current password is not needed.</p>;
  return (
    <Field
      label="Current password"
      error={error}
      action={
        <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.chooseMail}>
          Forgot it?
        </button>
      }
    >
      {(control) => (
        <PasswordInput
          {...control}
          name="current-password"
          autoComplete="current-password"
          value={check.password}
          onChange={(event) => check.setPassword(event.target.value)}
        />
      )}
    </Field>
  );
}

/** In the place of a form while the member proves themselves by mail. `email`: the account's address. */
export function MailCheck({ check, email, next }: { check: IdentityCheck; email: string; next: string }): ReactNode {
  const [sent, setSent] = useState(false);
  return (
    <div className="flex max-w-form flex-col gap-4">
      <p className="text-14 text-ink-2">
        {sent ? `We sent an email to ${email}.` : `We send ${mailsIncludeCode ? 'a 6-digit code' : 'a link'} to ${email}.`}
      </p>
      {sent && mailsIncludeCode && <CodeForm email={email} type="recovery" label="6-digit code" onDone={check.codeEntered} />}
      {sent ? null : (
        <MailButton
          variant="primary"
          onSend={(captchaToken) => sendRecovery({ email, next, captchaToken })}
          onSent={() => setSent(true)}
        >
          {mailsIncludeCode ? 'Email me a code' : 'Email me a link'}
        </MailButton>
      )}
      <div>
        <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.choosePassword}>
          Use the current password instead
        </button>
      </div>
    </div>
  );
}
