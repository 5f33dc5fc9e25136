import { useState } from 'react';
import { mailsIncludeCode } from '#web/shared/auth-api.ts';
import { MailCheck } from '#web/shared/auth-mail-check.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

/**
 * How members prove their identity before a sensitive action, so that nobody else can use an open
 * browser: with the current password or with a code from a mail. `method` is 'code' after a code
 * was entered, which the server accepts for ten minutes.
 */
export type IdentityCheck = {
  method: 'password' | 'mail' | 'code';
  password: string;
  setPassword: (password: string) => void;
  chooseMail: () => void;
  choosePassword: () => void;
  onCodeEntered: () => void;
};

export function useIdentityCheck(): IdentityCheck {
  const [method, setMethod] = useState<IdentityCheck['method']>('password');
  const [password, setPassword] = useState('');
  return {
    method,
    password,
    setPassword,
    chooseMail: () => setMethod('mail'),
    choosePassword: () => setMethod('password'),
    onCodeEntered: () => {
      setPassword('');
      setMethod('code');
    },
  };
}

/** The message of an empty field for the current password. */
export const ENTER_PASSWORD = 'Enter your current password.';

/**
 * The field for the current password, with a link to the mail check. After a code was entered, it
 * says so instead.
 */
export function CurrentPasswordField({
  check,
  error,
}: {
  check: IdentityCheck;
  error: string | undefined;
}) {
  if (check.method === 'code')
    return (
      <p className="text-13 text-ink-2">
        You entered the code from the email, so you don’t need your current password.
      </p>
    );
  return (
    <PasswordField
      label="Current password"
      name="current-password"
      autoComplete="current-password"
      value={check.password}
      onText={check.setPassword}
      error={error}
      action={
        <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.chooseMail}>
          Forgot password?
        </button>
      }
    />
  );
}

/** The mail check, shown in place of a settings form. `email` is the account's address. */
export function SettingsMailCheck({ check, email }: { check: IdentityCheck; email: string }) {
  return (
    <div className="flex max-w-form flex-col gap-4">
      <MailCheck
        email={email}
        next="/settings"
        intro={`We’ll email ${mailsIncludeCode ? 'a 6-digit code' : 'a link'} to ${email}.`}
        onDone={check.onCodeEntered}
      />
      <div>
        <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.choosePassword}>
          Use your current password instead
        </button>
      </div>
    </div>
  );
}
