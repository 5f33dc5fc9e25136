import { useState } from 'react';
import { isEmailUnconfirmed, resendConfirmation, signIn } from '#web/shared/sign-in/auth-api.ts';
import { useCheckedText } from '#web/shared/sign-in/auth-checked-text.ts';
import { MailButton } from '#web/shared/sign-in/auth-mail-button.tsx';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { AuthForm, EmailField, useEmail } from './auth-form.tsx';
import { ConfirmationSent } from './mail-sent.tsx';

/** The sign-in form. The page's guard opens the next page as soon as there is a session. */
export function SignInForm({ next, forgotHref }: { next: string; forgotHref: string }) {
  const email = useEmail();
  const password = useCheckedText();
  const [resent, setResent] = useState(false);
  const submit = useAsyncAction(() => signIn({ email: email.text, password: password.text }));
  if (resent) return <ConfirmationSent email={email.text} next={next} />;
  return (
    <AuthForm
      texts={{ 'your email address': email, 'your password': password }}
      action={submit}
      errorAction={
        isEmailUnconfirmed(submit.error) && (
          <MailButton
            onSend={(captchaToken) => resendConfirmation({ email: email.text, next, captchaToken })}
            onSent={() => setResent(true)}
          >
            Resend confirmation link
          </MailButton>
        )
      }
      button="Sign In"
    >
      {/* Browsers suggest passkeys here (passkey-button.tsx). */}
      <EmailField email={email} autoComplete="username webauthn" />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        {...password.field}
        action={
          <TextLink to={forgotHref} className="text-13">
            Forgot password?
          </TextLink>
        }
      />
    </AuthForm>
  );
}
