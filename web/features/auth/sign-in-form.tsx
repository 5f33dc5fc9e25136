import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { authErrorMessage, resendConfirmation, signIn, isEmailUnconfirmed } from '#web/shared/auth-api.ts';
import { MailButton } from '#web/shared/auth-mail-button.tsx';
import { emailError } from '#web/shared/auth-validation.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent } from './mail-sent.tsx';

/** Signing in; the guard of the page moves on as soon as there is a session. */
export function SignInForm({ next, forgotHref }: { next: string; forgotHref: string }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [resent, setResent] = useState(false);
  const call = useAsyncAction(signIn);

  const address = email.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = emailError(address);
    setProblem(found);
    if (found === '') call.run({ email: address, password });
    else focusFirstErrorSoon(event.currentTarget);
  };
  if (resent) return <ConfirmationSent email={address} next={next} />;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <EmailField
        value={email}
        error={problem}
        onChange={(value) => {
          setEmail(value);
          setProblem('');
        }}
      />
      <Field
        label="Password"
        action={
          <Link to={forgotHref} className={`text-13 ${textLinkClass}`}>
            Forgotten?
          </Link>
        }
      >
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {call.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(call.error)}</p>
          {isEmailUnconfirmed(call.error) && (
            <MailButton
              onSend={(captchaToken) => resendConfirmation({ email: address, next, captchaToken })}
              onSent={() => setResent(true)}
            >
              Resend the confirmation link
            </MailButton>
          )}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={address === '' || password === ''}
        pending={call.pending}
      >
        Sign In
      </Button>
    </form>
  );
}
