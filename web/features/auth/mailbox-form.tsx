import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SSO_MAILBOX_MINUTES, type SsoMailbox } from '#contract/sign-in/sso.ts';
import { CodeForm } from '#web/shared/sign-in/auth-code-form.tsx';
import { enterMailboxCode, sendMailboxCode } from '#web/shared/sign-in/sso-connection.ts';
import { useAsyncAction, type AsyncAction } from '#web/shared/page/use-async-action.ts';
import { config } from '#web/shared/page/config.ts';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { AuthForm, EmailField, useEmail } from './auth-form.tsx';
import { LocalMailbox } from './local-mailbox.tsx';

/**
 * Asks for an address after a sign-in at the provider, mails a code to it, and takes the code. Then
 * `onProven` finishes the sign-in.
 */
export function MailboxForm({
  need,
  code,
  onProven,
}: {
  need: SsoMailbox;
  code: string;
  onProven: () => void;
}) {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const sentTo = readSentTo(state);
  const email = useEmail(sentTo || (new URLSearchParams(hash.slice(1)).get('email') ?? ''));
  // In the history, so that a phone that reloads the page after the mail program still asks for the
  // code.
  const remember = (address: string): void =>
    void navigate({ search, hash }, { replace: true, state: { sentTo: address } });
  const send = useAsyncAction<void, unknown>(
    () => sendMailboxCode(code, email.text),
    () => {
      announce(`We sent a code to ${email.text}.`);
      remember(email.text);
    },
  );
  return (
    <Card className="space-y-4 p-5">
      {sentTo === '' ? (
        <>
          <p className="text-14 text-ink-2">{describeNeed(need, config.auth.sso?.name ?? '')}</p>
          <AuthForm texts={{ 'your email address': email }} action={send} button="Email me a code">
            <EmailField email={email} />
          </AuthForm>
        </>
      ) : (
        <CodeSent
          email={sentTo}
          resend={send}
          onVerify={(token) => enterMailboxCode(code, token)}
          onProven={onProven}
          onOther={() => remember('')}
        />
      )}
    </Card>
  );
}

function CodeSent({
  email,
  resend,
  onVerify,
  onProven,
  onOther,
}: {
  email: string;
  resend: AsyncAction<void, unknown>;
  onVerify: (token: string) => Promise<unknown>;
  onProven: () => void;
  onOther: () => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  // The form that had the focus was removed.
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={frame} tabIndex={-1} className="space-y-4 outline-none">
      <p className="text-14 text-ink-2">
        We sent a code to <span className="font-medium break-words text-ink">{email}</span>. It
        works for {SSO_MAILBOX_MINUTES} minutes.
      </p>
      <CodeForm label="6-digit code" verify={onVerify} onDone={onProven} />
      <div className="flex flex-wrap gap-2">
        <Button pending={resend.pending} onClick={() => resend.run()}>
          Send another code
        </Button>
        <Button onClick={onOther}>Use another address</Button>
      </div>
      {resend.error !== null && <ErrorText>{authErrorMessage(resend.error)}</ErrorText>}
      <p className="text-13 text-ink-3">No email after a minute? Check your spam folder.</p>
      <LocalMailbox />
    </div>
  );
}

function describeNeed(need: SsoMailbox, name: string): string {
  return {
    missing: `${name} sent no email address. Enter yours, and we’ll email you a code.`,
    unverified: `${name} has not verified your email address. We’ll email you a code to make sure that it is yours.`,
    exists: `Your email address already has an account here. Enter the code that we email you, and ${name} signs you in to it from now on.`,
  }[need];
}

function readSentTo(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('sentTo' in state)) return '';
  return typeof state.sentTo === 'string' ? state.sentTo : '';
}
