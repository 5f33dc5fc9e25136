import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/paths.ts';
import { SSO_OUTCOMES } from '#contract/sso.ts';
import { isSignUpClosed } from '#web/shared/auth-api.ts';
import { usePendingSignIn } from '#web/shared/pending-sign-in.ts';
import { readPendingSignIn } from '#web/shared/read-pending-sign-in.ts';
import { supportsPasskeys } from '#web/shared/passkeys.ts';
import { mailLinkError } from '#web/shared/auth-validation.ts';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { config } from '#web/shared/config.ts';
import { AuthFrame } from './auth-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';
import { REQUESTED_MAILS, RequestMailPage } from './request-mail-page.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const TABS = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;
type Tab = (typeof TABS)[number]['value'];
const TITLES = { 'sign-in': 'Welcome back', 'sign-up': 'Create your account' } as const;
const DOCUMENT_TITLES = { 'sign-in': 'Sign in', 'sign-up': 'Sign up' } as const;

/**
 * Sign-in and sign-up. `?tab=` in the address selects the form; `forgot` and `resend` are forms
 * that send a mail.
 */
export function AuthPage() {
  const [query, setQuery] = useSearchParams();
  const location = useLocation();
  const [closed, setClosed] = useState(false);
  // Before the first render, so that a reload shows the step at once.
  useState(readPendingSignIn);
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  const requestedTab = query.get('tab');
  const tab: Tab = requestedTab === 'sign-up' ? 'sign-up' : 'sign-in';
  const linkError = mailLinkError(location);
  const tabHref = (value: string): string => {
    const target = new URLSearchParams(query);
    target.set('tab', value);
    return `/auth?${target.toString()}`;
  };
  useEffect(() => {
    if (tab !== 'sign-up') return;
    // The form is visible while this loads. If the request fails, sign-up counts as open and the
    // service decides.
    isSignUpClosed().then(setClosed, () => setClosed(false));
  }, [tab]);

  const pending = usePendingSignIn();
  const { sso, passwords } = config.auth;
  const outcome = describeOutcome(query.get('sso'), sso?.name ?? '');
  const hasPasskeys = tab === 'sign-in' && supportsPasskeys();
  const failure = outcome !== '' && (
    <div className="mb-4">
      <Notice tone="bad">
        <p>{outcome}</p>
      </Notice>
    </div>
  );
  if (pending !== null) return <SecondFactorStep email={pending.email} />;
  if (sso !== null && !passwords)
    return (
      <AuthFrame title="Welcome back" documentTitle="Sign in">
        {failure}
        <Card className="space-y-3 p-5">
          <ProviderButton name={sso.name} next={next} isOnly />
          {supportsPasskeys() && <PasskeyButton />}
        </Card>
      </AuthFrame>
    );
  if (requestedTab === 'forgot' || requestedTab === 'resend')
    return (
      <RequestMailPage
        key={requestedTab}
        mail={REQUESTED_MAILS[requestedTab]}
        next={next}
        signInHref={tabHref('sign-in')}
      />
    );
  return (
    <AuthFrame title={TITLES[tab]} documentTitle={DOCUMENT_TITLES[tab]}>
      {failure}
      {linkError !== '' && (
        <div className="mb-4">
          <Notice tone="bad">
            <p>{linkError}</p>
            <p>Sign in, or request a new link.</p>
          </Notice>
        </div>
      )}
      <Card className="px-5 pt-2 pb-6">
        <Tabs
          label="Sign in or sign up"
          fill
          tabs={TABS}
          value={tab}
          onChange={(value) =>
            setQuery(
              (before) => {
                before.set('tab', value);
                return before;
              },
              { replace: true },
            )
          }
        >
          {(sso !== null || hasPasskeys) && (
            <>
              <div className="space-y-3">
                {hasPasskeys && <PasskeyButton />}
                {sso !== null && <ProviderButton name={sso.name} next={next} isOnly={false} />}
              </div>
              <p className="my-4 flex items-center gap-3 text-13 text-ink-3">
                <span aria-hidden className="h-px flex-1 bg-line" />
                or with your email address
                <span aria-hidden className="h-px flex-1 bg-line" />
              </p>
            </>
          )}
          {tab === 'sign-in' ? (
            <SignInForm next={next} forgotHref={tabHref('forgot')} />
          ) : (
            <SignUpForm next={next} closed={closed} />
          )}
        </Tabs>
      </Card>
    </AuthFrame>
  );
}

/**
 * What `?sso=` says about a sign-in at the provider that brought no code; '' for nothing. The text
 * is ours, because anyone can write such an address.
 */
function describeOutcome(outcome: string | null, name: string): string {
  const known = SSO_OUTCOMES.find((word) => word === outcome);
  if (known === undefined || name === '') return '';
  return {
    canceled: `The sign-in with ${name} was canceled.`,
    expired: 'The sign-in took too long, or its page was opened twice. Start again.',
    failed: `Signing in with ${name} failed. Try again. If it happens again, ask an administrator of this site.`,
    unavailable: `We couldn’t reach ${name}. Try again in a minute.`,
  }[known];
}
