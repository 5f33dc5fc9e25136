import { useState } from 'react';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { passkeyError, signInWithPasskey, supportsPasskeys } from '#web/shared/sign-in/passkeys.ts';
import { askForReset } from '#web/shared/sign-in/second-factor.ts';
import { SecondFactorForm } from '#web/shared/sign-in/second-factor-form.tsx';
import { signOut } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AuthFrame } from './auth-frame.tsx';

/** The second step of a sign-in: asks for the code, and offers a reset to somebody who has none. */
export function SecondFactorStep({ email }: { email: string }) {
  const [isLost, setLost] = useState(false);
  const passkey = useAsyncAction(() => signInWithPasskey());
  return (
    <AuthFrame
      title={isLost ? 'Sign in without a code' : 'Enter your code'}
      documentTitle="Sign in"
      hint={`For ${email}.`}
    >
      <Card className="p-5">
        {isLost ? (
          <LostFactor email={email} onBack={() => setLost(false)} />
        ) : (
          <>
            <SecondFactorForm button="Sign In" />
            {passkey.error !== null && (
              <div className="mt-4">
                <Notice tone="bad">
                  <p>{passkeyError(passkey.error)}</p>
                </Notice>
              </div>
            )}
            <p className="mt-3 flex flex-col items-start gap-3 text-13">
              {supportsPasskeys() && (
                <button
                  type="button"
                  className={textLinkClass}
                  disabled={passkey.pending}
                  onClick={() => passkey.run(undefined)}
                >
                  Use a passkey
                </button>
              )}
              <button type="button" className={textLinkClass} onClick={() => setLost(true)}>
                I have no code
              </button>
              <button
                type="button"
                className={textLinkClass}
                onClick={() => void signOut().catch(() => undefined)}
              >
                Use another account
              </button>
            </p>
          </>
        )}
      </Card>
    </AuthFrame>
  );
}

function LostFactor({ email, onBack }: { email: string; onBack: () => void }) {
  const request = useAsyncAction<void, string>(askForReset);
  if (request.data !== null)
    return (
      <Notice tone="mail">
        <p className="font-medium">We sent an email to {email}.</p>
        <p className="text-ink-2">
          You can close this page. After {formatDateTime(request.data)} we email you the link that
          turns the code off.
        </p>
      </Notice>
    );
  return (
    <div className="space-y-4">
      <p className="text-14 text-ink-2">
        We can turn the code off by email, after a wait of 24 hours. The wait gives you time to stop
        somebody else who knows your password: our first email has a link for that.
      </p>
      {request.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(request.error)}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" pending={request.pending} onClick={() => request.run()}>
          Start the 24 hours
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}
