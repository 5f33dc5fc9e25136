import type { Provider } from '@supabase/supabase-js';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import { config } from '#web/shared/page/config.ts';
import { providerName } from '#web/shared/session/hosted-ways.ts';
import { supportsPasskeys } from '#web/shared/sign-in/passkeys.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';

/**
 * The ways to sign in that need no address: a passkey, the company's provider, and the providers of
 * a hosted project (`hosted`). `isOnly` means that no form follows.
 */
export function Ways({
  next,
  hosted,
  isSignIn,
  isOnly,
}: {
  next: string;
  hosted: readonly Provider[];
  isSignIn: boolean;
  isOnly: boolean;
}) {
  const { sso } = config.auth;
  const hasPasskeys = isSignIn && supportsPasskeys();
  if (!hasPasskeys && sso === null && hosted.length === 0) return null;
  return (
    <>
      <div className="space-y-3">
        {sso !== null && isOnly && (
          <ProviderButton name={sso.name} provider={SSO_PROVIDER} next={next} isOnly />
        )}
        {hasPasskeys && <PasskeyButton />}
        {sso !== null && !isOnly && (
          <ProviderButton name={sso.name} provider={SSO_PROVIDER} next={next} isOnly={false} />
        )}
        {hosted.map((provider) => (
          <ProviderButton
            key={provider}
            name={providerName(provider)}
            provider={provider}
            next={next}
            isOnly={false}
          />
        ))}
      </div>
      {!isOnly && (
        <p className="my-4 flex items-center gap-3 text-13 text-ink-3">
          <span aria-hidden className="h-px flex-1 bg-line" />
          or with your email address
          <span aria-hidden className="h-px flex-1 bg-line" />
        </p>
      )}
    </>
  );
}
