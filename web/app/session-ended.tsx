import { clsx } from 'clsx';
import { Suspense } from 'react';
import { AuthForm } from '#web/features/auth/auth-form.tsx';
import { signIn } from '#web/shared/sign-in/auth-api.ts';
import { useCheckedText } from '#web/shared/sign-in/auth-checked-text.ts';
import { config } from '#web/shared/page/config.ts';
import { PasskeyAction } from '#web/shared/sign-in/passkey-action.tsx';
import { signInWithPasskey, supportsPasskeys } from '#web/shared/sign-in/passkeys.ts';
import { usePendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { askToSignIn, stopAsking, useSession } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const SecondFactorForm = lazyOr(
  () => import('#web/shared/sign-in/second-factor-form.tsx').then((m) => m.SecondFactorForm),
  () => <p role="alert">Reload the page to enter your code.</p>,
);

/**
 * Says, in the topmost dialog or at the edge of the page, that the session has ended, and opens the
 * sign-in over it. After the sign-in, the request that found the session ended continues.
 */
export function SessionEnded({ asking, floats }: { asking: boolean; floats: boolean }) {
  const session = useSession();
  if (session.status !== 'member') return null;
  return (
    <>
      <div
        className={clsx(
          floats
            ? 'fixed inset-x-4 bottom-4 z-40 mx-auto max-w-reading rounded-md bg-raised shadow-float'
            : 'mb-4',
        )}
      >
        <Notice tone="warn">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <p className="min-w-0 flex-1 basis-56">
              Your session has ended. What you typed is still here.
            </p>
            <Button size="sm" onClick={askToSignIn}>
              Sign in again
            </Button>
          </div>
        </Notice>
      </div>
      <Dialog open={asking} onClose={stopAsking} title="Sign in again" holdsPage={false}>
        {config.auth.passwords && <SignInAgain email={session.email} />}
        {supportsPasskeys() && (
          <PasskeyAction
            label="Sign in with a passkey"
            use={signInWithPasskey}
            className="mt-4 text-14"
          />
        )}
        {config.auth.sso !== null && <SignInElsewhere name={config.auth.sso.name} />}
      </Dialog>
    </>
  );
}

function SignInAgain({ email }: { email: string }) {
  const password = useCheckedText();
  const submit = useAsyncAction(() => signIn({ email, password: password.text }));
  const pending = usePendingSignIn();
  if (pending !== null)
    return (
      <Suspense fallback={null}>
        <SecondFactorForm button="Sign In" />
      </Suspense>
    );
  return (
    <AuthForm texts={{ 'your password': password }} action={submit} button="Sign In">
      <p className="text-14 text-ink-2">
        Your session has ended. Sign in, and you go on where you were.
      </p>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        readOnly
        value={email}
        onText={() => undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        {...password.field}
      />
    </AuthForm>
  );
}

/** Opens in another tab, because the provider's page would replace this one. */
const SignInElsewhere = ({ name }: { name: string }) => (
  <p className="mt-4 text-14">
    <a href="/auth" target="_blank" className={textLinkClass}>
      Continue with {name} in a new tab
    </a>
    , then come back. What you typed is still here.
  </p>
);
