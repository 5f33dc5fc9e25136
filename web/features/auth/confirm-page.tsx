import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { authErrorCode, authErrorMessage, verifyMailLink } from '#web/shared/auth-api.ts';
import { parseMailLink, mailLinkFromState, type MailLink } from '#web/shared/mail-link.ts';
import { useSession } from '#web/shared/session.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { announce, toast } from '#web/ui/announcer.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { describeLink, type DescribeLinkResult, type MailLinkDetails } from './describe-link.ts';
import { confirmText } from './confirm-text.ts';

/**
 * Where every link of a sign-in mail leads: it says what the link is for, and only its button uses the link. Programs that open
 * links in mails therefore change nothing.
 */
export function ConfirmPage() {
  const { hash, state } = useLocation();
  const origin = window.location.origin;
  // The layout moves the link from the address into the history's state after the first render.
  const link = useMemo(() => parseMailLink(hash, origin) ?? mailLinkFromState(state, origin), [hash, state, origin]);
  return link === null ? <DeadLink link={null} /> : <OpenLink key={link.tokenHash} link={link} />;
}

function Frame({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
      <PageHeading title={title} hint={hint} />
      {children}
    </div>
  );
}

function OpenLink({ link }: { link: MailLink }) {
  const { type, tokenHash } = link;
  const [answer, setAnswer] = useState<DescribeLinkResult | null>(null);
  useEffect(() => {
    if (answer !== null) return;
    const stop = new AbortController();
    describeLink({ type, tokenHash }, stop.signal).then(
      (told) => {
        if (stop.signal.aborted) return;
        setAnswer(told);
        announce(told.ok ? announcement(told.facts) : 'The link could not be opened.');
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [type, tokenHash, answer]);

  if (answer === null)
    return (
      <Frame title="Opening your link">
        <Loading label="Checking your link…">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="mt-2 h-4 w-3/4" />
          <Skeleton className="mt-6 h-9 w-full" />
        </Loading>
      </Frame>
    );
  if (answer.ok) return <ReadyLink link={link} facts={answer.facts} onDead={() => setAnswer({ ok: false, reason: 'dead' })} />;
  if (answer.reason === 'dead') return <DeadLink link={link} />;
  return (
    <Frame title="Opening your link">
      <ErrorLine message="We couldn’t check your link. Check your connection and try again." onRetry={() => setAnswer(null)} />
    </Frame>
  );
}

function ReadyLink({ link, facts, onDead }: { link: MailLink; facts: MailLinkDetails; onDead: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const words = confirmText(facts);
  const call = useAsyncAction(verifyMailLink, ({ needsPassword }) => {
    const choosesPassword = needsPassword || link.type === 'recovery';
    if (!choosesPassword) toast('Your email address is confirmed.');
    void navigate(choosesPassword ? `/auth/reset?next=${encodeURIComponent(link.next)}` : link.next, { replace: true });
  });
  const isDead = authErrorCode(call.error) === 'otp_expired';
  useEffect(() => {
    if (isDead) onDead();
  }, [isDead, onDead]);
  const other = session.status === 'member' && session.email !== facts.email ? session.email : '';
  return (
    <Frame title={words.title} hint={words.hint}>
      <Card className="space-y-4 p-5">
        {words.lines.map((line, at) => (
          <p key={line} className={at === 0 ? 'text-14 text-ink' : 'text-13 text-ink-2'}>
            {line}
          </p>
        ))}
        {other !== '' && (
          <Notice tone="warn">
            <p>
              You are signed in as {other}. Continuing signs you in as{' '}
              {facts.email === '' ? 'the owner of the address in the email' : facts.email}.
            </p>
          </Notice>
        )}
        {call.error !== null && !isDead && (
          <Notice tone="bad">
            <p>{authErrorMessage(call.error)}</p>
          </Notice>
        )}
        <Button
          variant="primary"
          className="w-full"
          pending={call.pending}
          onClick={() => call.run({ type: link.type, tokenHash: link.tokenHash })}
        >
          {words.button}
        </Button>
      </Card>
    </Frame>
  );
}

function announcement(facts: MailLinkDetails): string {
  const { title, hint } = confirmText(facts);
  return `${title}. ${hint}`;
}

/** A link that was used, replaced or too old (null: an address without one), and the ways on. */
function DeadLink({ link }: { link: MailLink | null }) {
  const session = useSession();
  const next = encodeURIComponent(link?.next ?? '/dashboard');
  const title = link === null ? 'This link is incomplete' : 'This link no longer works';
  return (
    <Frame title={title}>
      <p className="text-14 text-ink-2">
        {link === null
          ? 'Open the link in your email again, or have a new one sent.'
          : 'A link works once and for a limited time, and a newer email replaces it. Open the newest email, or have a new link sent.'}
      </p>
      {session.status === 'member' ? (
        <>
          <p className="mt-2 text-14 text-ink-2">You are signed in as {session.email}.</p>
          <div className="mt-6 flex flex-wrap gap-2">
            <LinkButton to="/dashboard" variant="primary">
              Go to my URLs
            </LinkButton>
            <LinkButton to="/settings">Open Settings</LinkButton>
          </div>
        </>
      ) : (
        <div className="mt-6 flex flex-wrap gap-2">
          <LinkButton to={`/auth?tab=${link?.type === 'signup' ? 'resend' : 'forgot'}&next=${next}`} variant="primary">
            Send a new link
          </LinkButton>
          <LinkButton to={`/auth?next=${next}`}>Sign in</LinkButton>
        </div>
      )}
    </Frame>
  );
}
