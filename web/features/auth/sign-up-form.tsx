import { PLANS } from '#contract/site.ts';
import { signUp } from '#web/shared/sign-in/auth-api.ts';
import { useCaptchaAction } from '#web/shared/sign-in/captcha.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { AuthForm, EmailField, NewPasswordField, useEmail, useNewPassword } from './auth-form.tsx';
import { ConfirmationSent } from './mail-sent.tsx';

/**
 * The sign-up form. If the address must be confirmed, a notice that a mail was sent replaces it.
 */
export function SignUpForm({ next }: { next: string }) {
  const email = useEmail();
  const password = useNewPassword();
  const submit = useCaptchaAction((captchaToken) =>
    signUp({ email: email.text, password: password.text, next, captchaToken }),
  );
  if (submit.data?.needsConfirmation === true)
    return <ConfirmationSent email={email.text} next={next} />;
  return (
    <>
      <AuthForm
        texts={{ 'your email address': email, 'a password': password }}
        action={submit}
        button="Sign Up"
      >
        <EmailField email={email} placeholder="you@example.com" />
        <NewPasswordField label="Password" name="password" password={password} />
      </AuthForm>
      <p className="mt-4 text-13 text-ink-3">
        {PLANS.free.monthlyLimit} links a month for free. By signing up you agree to the{' '}
        <TextLink to="/terms">terms</TextLink> and the{' '}
        <TextLink to="/privacy">privacy policy</TextLink>.
      </p>
    </>
  );
}
