import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import { SSO_MAILBOXES } from '#contract/sign-in/sso.ts';
import { authErrorCode, authErrorMessage, finishAtProvider } from '#web/shared/sign-in/auth-api.ts';
import { finishConnection, OTHER_BROWSER } from '#web/shared/sign-in/sso-connection.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { announce } from '#web/ui/announcer.ts';
import { Card } from '#web/ui/card.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { MailboxForm } from './mailbox-form.tsx';

/**
 * Where the browser returns from the company's provider. The code in the address works once and only
 * in the browser that began, so the page exchanges it as soon as it opens.
 */
export function CallbackPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const code = query.get('code') ?? '';
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  const isConnecting = query.has('connect');
  const finish = useAsyncAction(
    isConnecting ? finishConnection : finishAtProvider,
    () => void navigate(next, { replace: true }),
  );
  const { run } = finish;
  const error = code === '' ? INCOMPLETE : describeError(finish.error);
  const need = SSO_MAILBOXES.find((word) => word === query.get('mailbox'));
  const [isProven, setProven] = useState(false);
  const asksForMailbox = need !== undefined && !isConnecting && !isProven;
  const sent = useRef('');
  useEffect(() => {
    // The code works once, and React may run an effect twice.
    if (asksForMailbox || sent.current === code) return;
    sent.current = code;
    run(code);
  }, [asksForMailbox, code, run]);
  useEffect(() => {
    if (error !== '') announce(error);
  }, [error]);

  if (asksForMailbox && code !== '')
    return (
      <AuthFrame title="Confirm your email address">
        <MailboxForm need={need} code={code} onProven={() => setProven(true)} />
        <BackToSignIn next={next} />
      </AuthFrame>
    );
  if (error === '')
    return (
      <AuthFrame title={isConnecting ? 'Connecting' : 'Signing you in'}>
        <Loading label={isConnecting ? 'Connecting…' : 'Signing you in…'}>
          <Card className="space-y-4 p-5">
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-5 w-3/4" />
          </Card>
        </Loading>
      </AuthFrame>
    );
  return (
    <AuthFrame title={isConnecting ? 'Not connected' : 'We couldn’t sign you in'}>
      <Notice tone="bad">
        <p>{error}</p>
      </Notice>
      {isConnecting ? (
        <p className="mt-6 text-14">
          <TextLink to="/settings">Back to Settings</TextLink>
        </p>
      ) : (
        <BackToSignIn next={next} />
      )}
    </AuthFrame>
  );
}

const BackToSignIn = ({ next }: { next: string }) => (
  <p className="mt-6 text-14">
    <TextLink to={`/auth?next=${encodeURIComponent(next)}`}>Back to sign in</TextLink>
  </p>
);

const INCOMPLETE = 'This address is incomplete. Start the sign-in again.';

function describeError(error: unknown): string {
  if (authErrorCode(error) === 'no_authorization')
    return 'You are signed out. Sign in, and connect it again in Settings.';
  // The client's own words, where this browser has no verifier.
  const name = error instanceof Error ? error.name : '';
  return name === 'AuthPKCECodeVerifierMissingError' ? OTHER_BROWSER : authErrorMessage(error);
}
