import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import {
  authErrorMessage,
  isCurrentPasswordError,
  mailsIncludeCode,
  signInAtProvider,
} from '#web/shared/sign-in/auth-api.ts';
import { errorField } from '#web/shared/api/api.ts';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { MailCheck } from '#web/shared/sign-in/auth-mail-check.tsx';
import { config } from '#web/shared/page/config.ts';
import { PasskeyProof } from '#web/shared/sign-in/passkey-proof.tsx';
import { readProviderSession } from '#web/shared/session/provider-session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

/**
 * How members prove their identity before a sensitive action, so that nobody else can use an open
 * browser: with the current password, with a code from a mail, with a passkey, or by a sign-in at the
 * company's provider. `method` is 'code', 'passkey' or 'provider' after such a proof, which the
 * server accepts for ten minutes. It is 'visit' while a member without a password must sign in
 * there again.
 */
export type IdentityCheck = {
  method: 'password' | 'mail' | 'code' | 'passkey' | 'provider' | 'visit';
  password: string;
  setPassword: (password: string) => void;
  chooseMail: () => void;
  /** Starts again, for example because the server says that the proof is too old. */
  restart: () => void;
  onCodeEntered: () => void;
  onPasskeyUsed: () => void;
};

function useIdentityCheck(): IdentityCheck {
  const [session] = useState(() => readProviderSession());
  const withoutProof = config.auth.sso !== null && !session.hasPassword ? 'visit' : 'password';
  const [method, setMethod] = useState<IdentityCheck['method']>(session.fresh ?? withoutProof);
  const [password, setPassword] = useState('');
  const replacePassword = (proof: 'code' | 'passkey') => (): void => {
    setPassword('');
    setMethod(proof);
  };
  return {
    method,
    password,
    setPassword,
    chooseMail: () => setMethod('mail'),
    restart: () => setMethod(withoutProof),
    onCodeEntered: replacePassword('code'),
    onPasskeyUsed: replacePassword('passkey'),
  };
}

/**
 * A change for which members prove their identity, and enter a code of the second factor where the
 * server asks for one. `missing` is the message of an empty field for the current password, or
 * false.
 */
export function useProvenChange<Input, Output>(
  send: (input: Input, password: string) => Promise<Output>,
  onDone: (output: Output, check: IdentityCheck) => void | Promise<void>,
) {
  const check = useIdentityCheck();
  const { run, dialog } = useCodeCheck();
  const change = useMutation({
    mutationFn: (input: Input) => run(() => send(input, check.password)),
    onSuccess: (output) => onDone(output, check),
    onError: (error) => {
      // The code or the sign-in is older than ten minutes, so the server asks for a proof again.
      if (check.method !== 'password' && isAboutProof(error)) check.restart();
    },
  });
  const isMissing = check.method === 'password' && check.password === '';
  return {
    check,
    change,
    codeDialog: dialog,
    missing: isMissing && 'Enter your current password.',
  };
}

const isAboutProof = (error: unknown): boolean =>
  isCurrentPasswordError(error) || errorField(error) === 'currentPassword';

/**
 * The field for the current password, with a link to the mail check. In its place, a text about any
 * other proof.
 */
export function CurrentPasswordField({
  check,
  error,
}: {
  check: IdentityCheck;
  error: string | undefined;
}) {
  if (check.method !== 'password')
    return <p className="text-13 text-ink-2">{describeProof(check)}</p>;
  return (
    <div className="space-y-2">
      <PasswordField
        label="Current password"
        name="current-password"
        autoComplete="current-password"
        value={check.password}
        onText={check.setPassword}
        error={error}
        action={
          config.auth.passwords && (
            <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.chooseMail}>
              Forgot password?
            </button>
          )
        }
      />
      <PasskeyProof label="Use a passkey instead" onUsed={check.onPasskeyUsed} />
    </div>
  );
}

function describeProof({ method }: IdentityCheck): string {
  if (method === 'code')
    return 'You entered the code from the email, so you don’t need your current password.';
  if (method === 'passkey')
    return 'You have just used a passkey, so you don’t need your current password.';
  return `You have just signed in with ${config.auth.sso?.name ?? ''}, so you don’t need a password.`;
}

/**
 * Returns the proof to show in place of the form; null if the form can be shown. `email` is the
 * account's address.
 */
export function proofBeforeForm(check: IdentityCheck, email: string): ReactNode {
  if (check.method === 'mail') return <SettingsMailCheck check={check} email={email} />;
  return check.method === 'visit' ? <ProviderCheck check={check} /> : null;
}

/** Opens the provider's page. The browser comes back to the settings with a recent sign-in. */
function ProviderCheck({ check }: { check: IdentityCheck }) {
  const begin = useAsyncAction(() =>
    signInAtProvider({ provider: SSO_PROVIDER, next: '/settings' }),
  );
  const name = config.auth.sso?.name ?? '';
  return (
    <div className="flex max-w-form flex-col gap-4">
      <p className="text-14 text-ink-2">
        To show that this account is yours, sign in with {name} again. You then have ten minutes.
      </p>
      {begin.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(begin.error)}</p>
        </Notice>
      )}
      <div>
        <Button pending={begin.pending} onClick={() => begin.run(undefined)}>
          Continue with {name}
        </Button>
      </div>
      <PasskeyProof label="Use a passkey instead" onUsed={check.onPasskeyUsed} />
    </div>
  );
}

/** The mail check, shown in place of a settings form. `email` is the account's address. */
function SettingsMailCheck({ check, email }: { check: IdentityCheck; email: string }) {
  return (
    <div className="flex max-w-form flex-col gap-4">
      <MailCheck
        email={email}
        next="/settings"
        intro={`We’ll email ${mailsIncludeCode ? 'a 6-digit code' : 'a link'} to ${email}.`}
        onDone={check.onCodeEntered}
      />
      <div>
        <button type="button" className={`text-13 ${textLinkClass}`} onClick={check.restart}>
          Use your current password instead
        </button>
      </div>
    </div>
  );
}
