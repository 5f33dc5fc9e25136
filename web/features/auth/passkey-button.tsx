import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { authErrorCode } from '#web/shared/sign-in/auth-api.ts';
import { isPasskeyRefused, passkeyError, signInWithPasskey } from '#web/shared/sign-in/passkeys.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/**
 * Signs in with a passkey, without an address. The browser also suggests passkeys in the field for
 * the address, if it can. The page's guard opens the next page as soon as there is a session.
 */
export function PasskeyButton() {
  const [suggestionError, setSuggestionError] = useState<unknown>(null);
  const signIn = useAsyncAction(() => signInWithPasskey());
  const { pending } = signIn;
  useEffect(() => {
    // The browser handles one passkey request at a time, and the dialog's takes precedence.
    if (pending) return;
    const stop = new AbortController();
    const suggest = (): Promise<void> =>
      suggestPasskeys(stop.signal).catch((error: unknown) => {
        if (isPasskeyRefused(error)) setSuggestionError(error);
        // A page that was open for minutes needs a new challenge. After another refusal, the same
        // passkey would be refused again.
        return authErrorCode(error) === 'webauthn_challenge_expired' ? suggest() : undefined;
      });
    void suggest();
    return () => stop.abort();
  }, [pending]);
  const error = signIn.error ?? suggestionError;
  return (
    <div className="space-y-4">
      {error !== null && (
        <Notice tone="bad">
          <p>{passkeyError(error)}</p>
        </Notice>
      )}
      <Button
        className="w-full"
        pending={pending}
        onClick={() => {
          setSuggestionError(null);
          signIn.run(undefined);
        }}
      >
        <Fingerprint aria-hidden className="size-4 shrink-0" />
        Sign in with a passkey
      </Button>
    </div>
  );
}

async function suggestPasskeys(signal: AbortSignal): Promise<void> {
  const canSuggest = await PublicKeyCredential.isConditionalMediationAvailable?.();
  if (canSuggest && !signal.aborted) await signInWithPasskey(signal);
}
