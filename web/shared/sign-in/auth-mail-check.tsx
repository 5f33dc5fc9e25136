import { useState } from 'react';
import { mailsIncludeCode, sendRecovery } from './auth-api.ts';
import { CodeForm } from './auth-code-form.tsx';
import { MailButton } from './auth-mail-button.tsx';
import { useSignOutIfPending } from '#web/shared/session/use-sign-out-if-pending.ts';

/**
 * Lets a member prove by mail that the account is theirs: sends a mail to `email`, then asks for
 * its code. If mails contain no code, the mail's link opens `next` instead.
 */
export function MailCheck({
  email,
  next,
  intro,
  onDone,
}: {
  email: string;
  next: string;
  intro: string;
  onDone: () => void;
}) {
  const [sent, setSent] = useState(false);
  useSignOutIfPending();
  return (
    <div className="space-y-4">
      <p className="text-14 text-ink-2">{sent ? `We sent an email to ${email}.` : intro}</p>
      {sent && mailsIncludeCode ? (
        <CodeForm email={email} type="recovery" label="6-digit code" onDone={onDone} />
      ) : (
        <MailButton
          variant="primary"
          onSend={(captchaToken) => sendRecovery({ email, next, captchaToken })}
          onSent={() => setSent(true)}
        >
          {mailsIncludeCode ? 'Email me a code' : 'Email me a link'}
        </MailButton>
      )}
    </div>
  );
}
