import { useState } from 'react';
import { isEmailUnconfirmed, resendConfirmation, signIn } from '#web/shared/auth-api.ts';
import { MailButton } from '#web/shared/auth-mail-button.tsx';
import { emailError } from '#web/shared/auth-validation.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { AuthForm } from './auth-form.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent } from './mail-sent.tsx';

/** The sign-in form. The page's guard opens the next page as soon as there is a session. */
export function SignInForm({ next, forgotHref }: { next: string; forgotHref: string }) {
  const [text, setText] = useState('');
  const [password, setPassword] = useState('');
  const [invalid, setInvalid] = useState('');
  const [resent, setResent] = useState(false);
  const submit = useAsyncAction(signIn);
  const email = text.trim();
  if (resent) return <ConfirmationSent email={email} next={next} />;
  return (
    <AuthForm
      validate={() => {
        const error = emailError(email);
        setInvalid(error);
        return error === '';
      }}
      onSubmit={() => submit.run({ email, password })}
      error={submit.error}
      errorAction={
        isEmailUnconfirmed(submit.error) && (
          <MailButton
            onSend={(captchaToken) => resendConfirmation({ email, next, captchaToken })}
            onSent={() => setResent(true)}
          >
            Resend confirmation link
          </MailButton>
        )
      }
      button="Sign In"
      disabled={email === '' || password === ''}
      pending={submit.pending}
    >
      <EmailField
        value={text}
        error={invalid}
        onText={(value) => {
          setText(value);
          setInvalid('');
        }}
      />
      <Field
        label="Password"
        action={
          <TextLink to={forgotHref} className="text-13">
            Forgot password?
          </TextLink>
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
    </AuthForm>
  );
}
