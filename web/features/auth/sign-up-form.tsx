import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { authErrorMessage, signUp } from '#web/shared/auth-api.ts';
import { emailError, newPasswordError } from '#web/shared/auth-validation.ts';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Field, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent } from './mail-sent.tsx';

/** A new account. Where the service wants the address confirmed, the form makes room for the notice that a mail is coming. */
export function SignUpForm({ next, closed }: { next: string; closed: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState({ email: '', password: '' });
  const captcha = useCaptcha();
  const call = useAsyncAction((input: Parameters<typeof signUp>[0]) => signUp(input).finally(captcha.renew));

  const address = email.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = { email: emailError(address), password: newPasswordError(password) };
    setProblems(found);
    if (found.email === '' && found.password === '') call.run({ email: address, password, next, captchaToken: captcha.token });
    else focusFirstErrorSoon(event.currentTarget);
  };
  if (closed) return <Notice tone="bad">This service takes no new accounts at the moment.</Notice>;
  if (call.data?.confirm === true) return <ConfirmationSent email={address} next={next} />;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <EmailField
        value={email}
        error={problems.email}
        placeholder="you@example.com"
        onChange={(value) => {
          setEmail(value);
          setProblems((before) => ({ ...before, email: '' }));
        }}
      />
      <Field label="Password" error={problems.password}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="new-password"
            placeholder={`Create a password (min. ${PASSWORD_MIN} characters)`}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblems((before) => ({ ...before, password: '' }));
            }}
          />
        )}
      </Field>
      {captcha.box}
      {call.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(call.error)}</p>
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={address === '' || password === '' || !captcha.ready}
        pending={call.pending}
      >
        Sign Up
      </Button>
      <p className="text-13 text-ink-3">
        {PLANS.free.monthlyLimit} links a month for free. By signing up you agree to the{' '}
        <Link to="/terms" className={textLinkClass}>
          terms
        </Link>{' '}
        and have read what we{' '}
        <Link to="/privacy" className={textLinkClass}>
          store
        </Link>
        .
      </p>
    </form>
  );
}
