import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { authErrorMessage, resendConfirmation, sendRecovery } from '#web/shared/auth-api.ts';
import { emailError } from '#web/shared/auth-validation.ts';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmailField } from './email-field.tsx';
import { ConfirmationSent, MailSent } from './mail-sent.tsx';

type Send = (input: { email: string; captchaToken: string }) => Promise<void>;

/** Asks for an address and has a mail sent there. */
function AddressForm({ onSend, onSent }: { onSend: Send; onSent: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const captcha = useCaptcha();
  const address = email.trim();
  const call = useAsyncAction(
    (input: Parameters<Send>[0]) => onSend(input).finally(captcha.renew),
    () => onSent(address),
  );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = emailError(address);
    setProblem(found);
    if (found === '') call.run({ email: address, captchaToken: captcha.token });
    else focusFirstErrorSoon(event.currentTarget);
  };
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
        disabled={address === '' || !captcha.ready}
        pending={call.pending}
      >
        Send the link
      </Button>
    </form>
  );
}

const BackToSignIn = ({ href }: { href: string }) => (
  <p className="mt-6 text-13">
    <Link to={href} className={textLinkClass}>
      Back to sign in
    </Link>
  </p>
);

/** Asks for the mail that leads to a new password. Says the same for every address: who has an account is nobody's business. */
export function ForgotPasswordForm({ next, signInHref }: { next: string; signInHref: string }) {
  const [email, setEmail] = useState('');
  return (
    <>
      {email === '' ? (
        <AddressForm onSend={(input) => sendRecovery({ ...input, next })} onSent={setEmail} />
      ) : (
        <MailSent
          text="Check your email for the link to a new password."
          code={
            <p className="text-13">
              <Link to={`/auth/reset?next=${encodeURIComponent(next)}`} state={{ email }} className={textLinkClass}>
                Enter its 6-digit code instead
              </Link>
            </p>
          }
          onResend={(captchaToken) => sendRecovery({ email, next, captchaToken })}
        >
          If {email} has an account here, the link is on its way.
        </MailSent>
      )}
      <BackToSignIn href={signInHref} />
    </>
  );
}

/** Asks for another confirmation mail, for somebody whose link no longer works. */
export function ResendConfirmationForm({ next, signInHref }: { next: string; signInHref: string }) {
  const [email, setEmail] = useState('');
  return (
    <>
      {email === '' ? (
        <AddressForm onSend={(input) => resendConfirmation({ ...input, next })} onSent={setEmail} />
      ) : (
        <ConfirmationSent email={email} next={next} />
      )}
      <BackToSignIn href={signInHref} />
    </>
  );
}
