import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { useCall } from '#web/shared/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { focusFirstErrorSoon } from '#web/ui/field.tsx';
import { messageOf, sendRecovery } from './calls.ts';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { Notice } from './notice.tsx';
import { emailProblem } from './rules.ts';

/** Asks for the mail that leads to a new password. Says the same for every address: who has an account is nobody's business. */
export function ForgotForm({ signInHref }: { signInHref: string }) {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState('');
  const [sent, setSent] = useState(false);
  const call = useCall(sendRecovery, () => setSent(true));
  const address = email.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = emailProblem(address);
    setProblem(found);
    if (found === '') call.run(address);
    else focusFirstErrorSoon(event.currentTarget);
  };
  return (
    <div className="space-y-6">
      {sent ? (
        <MailSent
          text="Check your email for the link to a new password."
          code={
            <p className="text-13">
              <Link to="/auth/reset" state={{ email: address }} className={textLinkClass}>
                Enter its 6-digit code instead
              </Link>
            </p>
          }
          onResend={() => sendRecovery(address)}
        >
          If {address} has an account here, the link is on its way.
        </MailSent>
      ) : (
        <form noValidate onSubmit={submit} className="space-y-4">
          <EmailField
            value={email}
            error={problem}
            onChange={(value) => {
              setEmail(value);
              setProblem('');
            }}
          />
          {call.error !== null && (
            <Notice tone="bad">
              <p>{messageOf(call.error)}</p>
            </Notice>
          )}
          <Button type="submit" variant="primary" className="w-full" disabled={address === ''} pending={call.pending}>
            Send the link
          </Button>
        </form>
      )}
      <p className="text-13">
        <Link to={signInHref} className={textLinkClass}>
          Back to sign in
        </Link>
      </p>
    </div>
  );
}
