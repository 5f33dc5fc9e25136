import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import { SSO_OUTCOMES } from '#contract/sign-in/sso.ts';
import { readHostedWays, USUAL_WAYS } from '#web/shared/session/hosted-ways.ts';
import { usePendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { readPendingSignIn } from '#web/shared/sign-in/read-pending-sign-in.ts';
import { mailLinkError } from '#web/shared/sign-in/auth-validation.ts';
import { Card } from '#web/ui/card.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { config } from '#web/shared/page/config.ts';
import { AuthFrame } from './auth-frame.tsx';
import { REQUESTED_MAILS, RequestMailPage } from './request-mail-page.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { Ways } from './ways.tsx';

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
  const [hosted, setHosted] = useState(USUAL_WAYS);
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
  const { sso, passwords, signUp, mode } = config.auth;
  useEffect(() => {
    // The form is visible while this loads.
    if (mode === 'hosted') readHostedWays().then(setHosted, () => undefined);
  }, [mode]);

  const pending = usePendingSignIn();
  const outcome = describeOutcome(query.get('sso'), sso?.name ?? '');
  const failure = outcome !== '' && (
    <div className="mb-4">
      <Notice tone="bad">
        <p>{outcome}</p>
      </Notice>
    </div>
  );
  if (pending !== null) return <SecondFactorStep email={pending.email} />;
  if (sso !== null && !passwords) {
    const only = signUp === 'closed' ? 'sign-in' : tab;
    return (
      <AuthFrame title={TITLES[only]} documentTitle={DOCUMENT_TITLES[only]}>
        {failure}
        <Card className="p-5">
          <Ways next={next} hosted={[]} isSignIn={only === 'sign-in'} isOnly />
          {only === 'sign-up' && FIRST_SIGN_IN}
        </Card>
      </AuthFrame>
    );
  }
  if (requestedTab === 'forgot' || requestedTab === 'resend')
    return (
      <RequestMailPage
        key={requestedTab}
        mail={REQUESTED_MAILS[requestedTab]}
        next={next}
        signInHref={tabHref('sign-in')}
      />
    );
  const { providers, email } = hosted;
  const signInWays = (
    <>
      <Ways next={next} hosted={providers} isSignIn isOnly={!email} />
      {email && <SignInForm next={next} forgotHref={tabHref('forgot')} />}
    </>
  );
  const isOnlyProvider = signUp === 'sso' || !email;
  const signUpWays = hosted.closed ? (
    CLOSED
  ) : (
    <>
      <Ways next={next} hosted={providers} isSignIn={false} isOnly={isOnlyProvider} />
      {isOnlyProvider ? FIRST_SIGN_IN : <SignUpForm next={next} />}
    </>
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
      {signUp === 'closed' ? (
        <Card className="p-5">{tab === 'sign-in' ? signInWays : CLOSED}</Card>
      ) : (
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
            {tab === 'sign-in' ? signInWays : signUpWays}
          </Tabs>
        </Card>
      )}
    </AuthFrame>
  );
}

/**
 * Describes in our own words why a sign-in at the provider has failed, because anyone can write an
 * address with `?sso=`. '' if none has.
 */
function describeOutcome(outcome: string | null, name: string): string {
  const known = SSO_OUTCOMES.find((word) => word === outcome);
  if (known === undefined || name === '') return '';
  return {
    canceled: `The sign-in with ${name} was canceled.`,
    expired: 'The sign-in took too long, or its page was opened twice. Start again.',
    failed: `Signing in with ${name} failed. Try again. If it happens again, ask an administrator of this site.`,
    unavailable: `We couldn’t reach ${name}. Try again in a minute.`,
    stays: `${name} has no sign-out page. You are still signed in there: sign out on its own site.`,
  }[known];
}

const FIRST_SIGN_IN = (
  <p className="mt-4 text-13 text-ink-3">Your first sign-in there creates your account.</p>
);

const CLOSED = (
  <div className="space-y-4">
    <Notice tone="warn">
      <p>Sign-up is currently closed.</p>
      <p>Ask the people who run this site for an account.</p>
    </Notice>
    <p className="text-14">
      <TextLink to="/auth">Sign in</TextLink>
    </p>
  </div>
);
