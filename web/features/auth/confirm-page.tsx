import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { authErrorCode, authErrorMessage, verifyMailLink } from '#web/shared/sign-in/auth-api.ts';
import { config } from '#web/shared/page/config.ts';
import { parseMailLink, mailLinkFromState, type MailLink } from '#web/shared/sign-in/mail-link.ts';
import { usePendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { useSignOutIfPending } from '#web/shared/session/use-sign-out-if-pending.ts';
import { announce, toast } from '#web/ui/announcer.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { LinkPair } from '#web/ui/link-pair.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { EndSessionForm } from './end-session-form.tsx';
import {
  fetchLinkDescription,
  type DescribeLinkResult,
  type MailLinkDetails,
} from './describe-link.ts';
import { RESET_TEXTS, ResetFactorForm } from './reset-factor-form.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

/**
 * The page that every sign-in mail links to. It says what the link does. Only its button uses the
 * link, so programs that open links in mails change nothing.
 */
export function ConfirmPage() {
  const { hash, state } = useLocation();
  const origin = window.location.origin;
  // After the first render the layout moves the link from the address into the history's state.
  const link = useMemo(
    () => parseMailLink(hash, origin) ?? mailLinkFromState(state, origin),
    [hash, state, origin],
  );
  return link === null ? (
    <InvalidLink link={null} />
  ) : (
    <LinkLoader key={link.tokenHash} link={link} />
  );
}

function LinkLoader({ link }: { link: MailLink }) {
  const { type, tokenHash } = link;
  const [result, setResult] = useState<DescribeLinkResult | null>(null);
  useEffect(() => {
    if (result !== null) return;
    const controller = new AbortController();
    fetchLinkDescription({ type, tokenHash }, controller.signal).then(
      (described) => {
        if (controller.signal.aborted) return;
        setResult(described);
        announce(described.ok ? announcement(described.details) : 'The link could not be opened.');
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [type, tokenHash, result]);

  if (result === null)
    return (
      <AuthFrame title="Opening your link">
        <Loading label="Checking your link…">
          <Card className="space-y-4 p-5">
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-9 w-full pointer-coarse:h-11" />
          </Card>
        </Loading>
      </AuthFrame>
    );
  const onInvalid = () => setResult({ ok: false, reason: 'invalid' });
  if (result.ok && isAboutFactor(result.details.type))
    return (
      <ResetFactorForm type={result.details.type} email={result.details.email} token={tokenHash} />
    );
  if (result.ok)
    return type === 'session' ? (
      <EndSessionForm tokenHash={tokenHash} details={result.details} onInvalid={onInvalid} />
    ) : (
      <ConfirmForm link={{ ...link, type }} details={result.details} onInvalid={onInvalid} />
    );
  if (result.reason === 'invalid') return <InvalidLink link={link} />;
  return (
    <AuthFrame title="Opening your link">
      <ErrorLine
        message="We couldn’t check your link. Check your connection and try again."
        query={{ refetch: () => setResult(null), isManual: true }}
      />
    </AuthFrame>
  );
}

function ConfirmForm({
  link,
  details,
  onInvalid,
}: {
  link: MailLink & { type: 'signup' | 'recovery' };
  details: MailLinkDetails;
  onInvalid: () => void;
}) {
  const session = useSession();
  const navigate = useNavigate();
  const text = confirmText(details);
  const pending = usePendingSignIn();
  useSignOutIfPending();
  const verify = useAsyncAction(verifyMailLink);
  // The form for the code has gone by the time that the code has signed in.
  const needsPassword =
    pending === null && session.status === 'member' ? verify.data?.needsPassword : undefined;
  useChange(needsPassword, () => {
    if (needsPassword === undefined) return;
    const choosesPassword = needsPassword || link.type === 'recovery';
    if (!choosesPassword) toast('Your email address is confirmed.');
    void navigate(
      choosesPassword ? `/auth/reset?next=${encodeURIComponent(link.next)}` : link.next,
      { replace: true },
    );
  });
  const isInvalid = authErrorCode(verify.error) === 'otp_expired';
  useEffect(() => {
    if (isInvalid) onInvalid();
  }, [isInvalid, onInvalid]);
  const currentEmail =
    session.status === 'member' && session.email !== details.email ? session.email : '';
  if (pending !== null && verify.data !== null) return <SecondFactorStep email={pending.email} />;
  return (
    <AuthFrame title={text.title} hint={text.hint}>
      <Card className="space-y-4 p-5">
        {text.lines.map((line, index) => (
          <p key={line} className={index === 0 ? 'text-14 text-ink' : 'text-13 text-ink-2'}>
            {line}
          </p>
        ))}
        {currentEmail !== '' && (
          <Notice tone="warn">
            <p>
              You are signed in as {currentEmail}. Continuing signs you in as{' '}
              {details.email === '' ? 'the owner of the address in the email' : details.email}.
            </p>
          </Notice>
        )}
        {verify.error !== null && !isInvalid && (
          <Notice tone="bad">
            <p>{authErrorMessage(verify.error)}</p>
          </Notice>
        )}
        <Button
          variant="primary"
          className="w-full"
          pending={verify.pending}
          onClick={() => verify.run({ type: link.type, tokenHash: link.tokenHash })}
        >
          {text.button}
        </Button>
      </Card>
    </AuthFrame>
  );
}

function announcement(details: MailLinkDetails): string {
  const { type, email } = details;
  if (type === 'session') return `Was that not you? For ${email}.`;
  if (isAboutFactor(type)) return `${RESET_TEXTS[type].title} For ${email}.`;
  const { title, hint } = confirmText(details);
  return `${title}. ${hint}`;
}

/**
 * Says that a link no longer works and what to do next. `link` is null if the address contains no
 * complete link.
 */
function InvalidLink({ link }: { link: MailLink | null }) {
  const session = useSession();
  const next = encodeURIComponent(link?.next ?? '/dashboard');
  const title = link === null ? 'This link is incomplete' : 'This link no longer works';
  const hasEnded = link?.type === 'session';
  return (
    <AuthFrame title={title}>
      <p className="text-14 text-ink-2">{describeInvalid(link)}</p>
      {session.status === 'member' ? (
        <>
          <p className="mt-2 text-14 text-ink-2">You are signed in as {session.email}.</p>
          <LinkPair
            className="mt-6"
            first={{ to: '/dashboard', label: 'Go to My URLs' }}
            second={{ to: '/settings', label: 'Open Settings' }}
          />
        </>
      ) : !config.auth.passwords ? (
        <LinkButton className="mt-6" variant="primary" to={`/auth?next=${next}`}>
          Sign in
        </LinkButton>
      ) : (
        <LinkPair
          className="mt-6"
          first={{
            to: `/auth?tab=${link?.type === 'signup' ? 'resend' : 'forgot'}&next=${next}`,
            label: hasEnded ? 'Choose a new password' : 'Send a new link',
          }}
          second={{ to: `/auth?next=${next}`, label: 'Sign in' }}
        />
      )}
    </AuthFrame>
  );
}

function describeInvalid(link: MailLink | null): string {
  const { passwords } = config.auth;
  if (link?.type === 'session')
    return `That sign-in has ended already.${passwords ? ' If it was not you, choose a new password: somebody else may know yours.' : ''}`;
  if (!passwords) return 'This site has no passwords. Sign in with your company account.';
  return link === null
    ? 'Open the link in your email again, or request a new one.'
    : 'Each link works once, expires, and is replaced by newer emails. Open the newest email or request a new link.';
}

/**
 * `hint` names the account below the title, because an email address would break a large title in
 * the middle.
 */
type ConfirmText = { title: string; hint: string; lines: readonly string[]; button: string };

function confirmText({ type, email, keepsPassword }: MailLinkDetails): ConfirmText {
  const hint = email === '' ? '' : `For ${email}.`;
  if (type === 'signup')
    return {
      title: 'Confirm your email address',
      hint,
      lines: [
        keepsPassword
          ? 'This confirms that the address is yours and signs you in.'
          : 'This confirms that the address is yours and signs you in. Then you choose a password: the one from the sign-up was entered in another browser, so it is not kept.',
        'If you did not create an account, close this page. Nothing happens until you press the button.',
      ],
      button: 'Confirm and sign in',
    };
  if (type === 'secure')
    return {
      title: 'Did someone else change your password?',
      hint,
      lines: [
        'If you did not change your password, continue. This signs out every device and disables the new password at once. Then you choose another one.',
        'If you changed it yourself, close this page. Nothing happens until you press the button.',
      ],
      button: 'Sign out everywhere and continue',
    };
  return {
    title: 'Choose a new password',
    hint,
    lines: [
      keepsPassword
        ? 'This signs you in and lets you choose a new password. Your current password works until you save the new one.'
        : 'This confirms that the address is yours, signs you in and lets you choose a password.',
      'If you did not request this, close this page. Nothing happens until you press the button.',
    ],
    button: 'Continue',
  };
}

const isAboutFactor = (type: MailLinkDetails['type']): type is 'factor_stop' | 'factor_off' =>
  type === 'factor_stop' || type === 'factor_off';
