import { useState } from 'react';
import { PLANS } from '#contract/site.ts';
import { signUp } from '#web/shared/auth-api.ts';
import { emailError, newPasswordError } from '#web/shared/auth-validation.ts';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AuthForm } from './auth-form.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent } from './mail-sent.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/**
 * The sign-up form. If the address must be confirmed, a notice that a mail was sent replaces it.
 */
export function SignUpForm({ next, closed }: { next: string; closed: boolean }) {
  const [text, setText] = useState('');
  const [password, setPassword] = useState('');
  const [invalid, setInvalid] = useState({ email: '', password: '' });
  const captcha = useCaptcha();
  const submit = useAsyncAction((input: Parameters<typeof signUp>[0]) =>
    signUp(input).finally(captcha.reset),
  );
  const email = text.trim();
  if (closed) return <Notice tone="bad">Sign-up is currently closed.</Notice>;
  if (submit.data?.needsConfirmation === true)
    return <ConfirmationSent email={email} next={next} />;
  return (
    <>
      <AuthForm
        validate={() => {
          const errors = { email: emailError(email), password: newPasswordError(password) };
          setInvalid(errors);
          return errors.email === '' && errors.password === '';
        }}
        onSubmit={() => submit.run({ email, password, next, captchaToken: captcha.token })}
        error={submit.error}
        button="Sign Up"
        disabled={email === '' || password === '' || !captcha.isReady}
        pending={submit.pending}
      >
        <EmailField
          value={text}
          error={invalid.email}
          placeholder="you@example.com"
          onText={(value) => {
            setText(value);
            setInvalid((before) => ({ ...before, email: '' }));
          }}
        />
        <NewPasswordField
          label="Password"
          name="password"
          value={password}
          error={invalid.password}
          onChange={(value) => {
            setPassword(value);
            setInvalid((before) => ({ ...before, password: '' }));
          }}
        />
        {captcha.widget}
      </AuthForm>
      <p className="mt-4 text-13 text-ink-3">
        {PLANS.free.monthlyLimit} links a month for free. By signing up you agree to the{' '}
        <TextLink to="/terms">terms</TextLink> and the{' '}
        <TextLink to="/privacy">privacy policy</TextLink>.
      </p>
    </>
  );
}
