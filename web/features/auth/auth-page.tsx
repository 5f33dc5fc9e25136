import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { pageAfterSignIn } from '#contract/paths.ts';
import { isSignUpClosed } from '#web/shared/auth-api.ts';
import { mailLinkError } from '#web/shared/auth-validation.ts';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { ForgotPasswordForm, ResendConfirmationForm } from './request-mail-forms.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const TABS = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;
type Tab = (typeof TABS)[number]['value'];
const TITLES = { 'sign-in': 'Welcome back', 'sign-up': 'Create your account' } as const;
const DOCUMENT_TITLES = { 'sign-in': 'Sign in', 'sign-up': 'Sign up' } as const;

/** Sign in or sign up, as the tab in the address says; `?tab=forgot` and `?tab=resend` ask for a mail. */
export function AuthPage() {
  const [query, setQuery] = useSearchParams();
  const location = useLocation();
  const [closed, setClosed] = useState(false);
  const next = pageAfterSignIn(query.get('next'), window.location.origin);
  const asked = query.get('tab');
  const tab: Tab = asked === 'sign-up' ? 'sign-up' : 'sign-in';
  const failedLink = mailLinkError(location);
  const hrefOf = (value: string): string => {
    const target = new URLSearchParams(query);
    target.set('tab', value);
    return `/auth?${target.toString()}`;
  };
  useEffect(() => {
    if (tab !== 'sign-up') return;
    isSignUpClosed().then(setClosed, () => setClosed(false));
  }, [tab]);

  if (asked === 'forgot')
    return (
      <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
        <PageHeading title="Forgotten password" hint="We send you a link that lets you choose a new one." />
        <ForgotPasswordForm next={next} signInHref={hrefOf('sign-in')} />
      </div>
    );
  if (asked === 'resend')
    return (
      <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
        <PageHeading title="Confirm your address" hint="We send you a new link. The one before it stops working." />
        <ResendConfirmationForm next={next} signInHref={hrefOf('sign-in')} />
      </div>
    );
  return (
    <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
      <PageHeading key={tab} title={TITLES[tab]} documentTitle={DOCUMENT_TITLES[tab]} />
      {failedLink !== '' && (
        <div className="mb-4">
          <Notice tone="bad">
            <p>{failedLink}</p>
            <p>Sign in, or have a new link sent.</p>
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
          {tab === 'sign-in' ? (
            <SignInForm next={next} forgotHref={hrefOf('forgot')} />
          ) : (
            <SignUpForm next={next} closed={closed} />
          )}
        </Tabs>
      </Card>
    </div>
  );
}
