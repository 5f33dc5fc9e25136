import { useEffect, useRef, type ReactNode } from 'react';
import {
  authErrorMessage,
  mailsIncludeCode,
  resendConfirmation,
  sendRecovery,
} from '#web/shared/sign-in/auth-api.ts';
import { CodeForm } from '#web/shared/sign-in/auth-code-form.tsx';
import { useCaptchaAction } from '#web/shared/sign-in/captcha.tsx';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LocalMailbox } from './local-mailbox.tsx';

const SENT = 'We sent another email.';

/**
 * Says that a mail was sent and offers to resend it. Links to the development mailbox if there is
 * one.
 */
function MailSent({
  title,
  children,
  codeEntry,
  onResend,
}: {
  title: string;
  children: ReactNode;
  codeEntry: ReactNode;
  onResend: (captchaToken: string) => Promise<void>;
}) {
  const { captcha, ...resend } = useCaptchaAction(onResend, () => announce(SENT));
  const frame = useRef<HTMLDivElement>(null);
  // The form that had the focus was removed.
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  const isUntouched = resend.data === null && resend.error === null && !resend.pending;
  return (
    <div ref={frame} tabIndex={-1} className="space-y-4 outline-none">
      <Notice tone="mail">
        <p className="font-medium">{title}</p>
        <p className="text-ink-2">{children}</p>
      </Notice>
      {mailsIncludeCode && codeEntry}
      {captcha.widget}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button pending={resend.pending} disabled={!captcha.isReady} onClick={() => resend.run()}>
          Resend email
        </Button>
        <p className="min-w-0 flex-1 text-13 text-ink-3" aria-live="polite">
          {isUntouched && 'No email after a minute? Check your spam folder.'}
          {resend.error === null && resend.data !== null && SENT}
          {resend.error !== null && (
            <span className="text-bad">{authErrorMessage(resend.error)}</span>
          )}
        </p>
      </div>
      <LocalMailbox />
    </div>
  );
}

/** `next` is the page that the mail's link finally opens. */
type SentTo = { email: string; next: string };

export const ConfirmationSent = ({ email, next }: SentTo) => (
  <MailSent
    title="Check your email for the confirmation link!"
    codeEntry={<CodeForm email={email} type="signup" />}
    onResend={(captchaToken) => resendConfirmation({ email, next, captchaToken })}
  >
    We sent it to {email}. Open it in this browser to sign in.
  </MailSent>
);

export const RecoverySent = ({ email, next }: SentTo) => (
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
);
