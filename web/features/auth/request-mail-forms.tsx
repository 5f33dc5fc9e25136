import { useState } from 'react';
import { resendConfirmation, sendRecovery } from '#web/shared/auth-api.ts';
import { emailError } from '#web/shared/auth-validation.ts';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { AuthForm } from './auth-form.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent, MailSent } from './mail-sent.tsx';

type SendMail = (input: { email: string; captchaToken: string }) => Promise<void>;

function RequestMailForm({
  onSend,
  onSent,
}: {
  onSend: SendMail;
  onSent: (email: string) => void;
}) {
  const [text, setText] = useState('');
  const [invalid, setInvalid] = useState('');
  const captcha = useCaptcha();
  const email = text.trim();
  const send = useAsyncAction(
    (input: Parameters<SendMail>[0]) => onSend(input).finally(captcha.reset),
    () => onSent(email),
  );
  return (
    <AuthForm
      validate={() => {
        const error = emailError(email);
        setInvalid(error);
        return error === '';
      }}
      onSubmit={() => send.run({ email, captchaToken: captcha.token })}
      error={send.error}
      button="Send link"
      disabled={email === '' || !captcha.isReady}
      pending={send.pending}
    >
      <EmailField
        value={text}
        error={invalid}
        onText={(value) => {
          setText(value);
          setInvalid('');
        }}
      />
      {captcha.widget}
    </AuthForm>
  );
}

const BackToSignIn = ({ href }: { href: string }) => (
  <p className="mt-6 text-13">
    <TextLink to={href}>Back to sign in</TextLink>
  </p>
);

/**
 * Sends a password recovery mail. The page says the same for every address, so that it does not
 * reveal accounts.
 */
export function ForgotPasswordForm({ next, signInHref }: { next: string; signInHref: string }) {
  const [email, setEmail] = useState('');
  return (
    <>
      {email === '' ? (
        <RequestMailForm onSend={(input) => sendRecovery({ ...input, next })} onSent={setEmail} />
      ) : (
        <MailSent
          title="Check your email for the link to a new password."
          codeEntry={
            <p className="text-13">
              <TextLink to={`/auth/reset?next=${encodeURIComponent(next)}`} state={{ email }}>
                Enter the 6-digit code instead
              </TextLink>
            </p>
          }
          onResend={(captchaToken) => sendRecovery({ email, next, captchaToken })}
        >
          If {email} has an account, we sent it a link.
        </MailSent>
      )}
      <BackToSignIn href={signInHref} />
    </>
  );
}

export function ResendConfirmationForm({ next, signInHref }: { next: string; signInHref: string }) {
  const [email, setEmail] = useState('');
  return (
    <>
      {email === '' ? (
        <RequestMailForm
          onSend={(input) => resendConfirmation({ ...input, next })}
          onSent={setEmail}
        />
      ) : (
        <ConfirmationSent email={email} next={next} />
      )}
      <BackToSignIn href={signInHref} />
    </>
  );
}
