import type { ReactNode } from 'react';
import { mailsIncludeCode, authErrorMessage, resendConfirmation } from '#web/shared/auth-api.ts';
import { CodeForm } from '#web/shared/auth-code-form.tsx';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { config } from '#web/shared/config.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** A mail is on its way: what to do, another one where it does not come, and on a developer's machine where it lies. */
export function MailSent({
  text,
  children,
  code,
  onResend,
}: {
  text: string;
  children: ReactNode;
  /** What takes the mail's code, shown where mails hold one. */
  code: ReactNode;
  onResend: (captchaToken: string) => Promise<void>;
}) {
  const captcha = useCaptcha();
  const resend = useAsyncAction(
    () => onResend(captcha.token).finally(captcha.renew),
    () => announce('A new email is on its way.'),
  );
  return (
    <div className="space-y-4">
      <Notice tone="mail">
        <p className="font-medium">{text}</p>
        <p className="text-ink-2">{children}</p>
      </Notice>
      {mailsIncludeCode && code}
      {captcha.box}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button pending={resend.pending} disabled={!captcha.ready} onClick={() => resend.run(undefined)}>
          Resend
        </Button>
        <p className="min-w-0 flex-1 text-13 text-ink-3" aria-live="polite">
          {resend.data !== null || resend.error !== null || resend.pending
            ? ''
            : 'Nothing after a minute? Look into the spam folder.'}
          {resend.error === null && resend.data !== null && 'A new email is on its way.'}
          {resend.error !== null && <span className="text-bad">{authErrorMessage(resend.error)}</span>}
        </p>
      </div>
      {config.devMailbox && (
        <p className="text-13 text-ink-3">
          This is a local installation:{' '}
          <a href="/dev/mailbox" className={textLinkClass}>
            open the mailbox
          </a>
          .
        </p>
      )}
    </div>
  );
}

/** The mail that confirms a new address is on its way; it leads its reader to `next`. */
export const ConfirmationSent = ({ email, next }: { email: string; next: string }) => (
  <MailSent
    text="Check your email for the confirmation link!"
    code={<CodeForm email={email} type="signup" />}
    onResend={(captchaToken) => resendConfirmation({ email, next, captchaToken })}
  >
    We sent it to {email}. Open it in this browser and you are signed in.
  </MailSent>
);
