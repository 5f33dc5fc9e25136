import { useState } from 'react';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { followResetLink } from '#web/shared/sign-in/second-factor.ts';
import { signOut } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AuthFrame } from './auth-frame.tsx';

export const RESET_TEXTS = {
  factor_stop: {
    title: 'Stop the reset of your code?',
    lines: [
      'Somebody has signed in with your password or by email, and asked to turn off your authenticator app. Stopping it signs everyone out and removes the password, and the passkeys, company accounts, API keys and webhooks that were added since. Then you choose a new password.',
      'If you asked for it yourself, close this page. Nothing happens until you press the button.',
    ],
    button: 'Stop it and sign out everyone',
    done: 'The reset is stopped. Everyone is signed out, and the password no longer works.',
    next: { to: '/auth?tab=forgot', label: 'Choose a new password' },
  },
  factor_off: {
    title: 'Turn off your authenticator app?',
    lines: [
      'Signing in no longer asks for a code. Your recovery codes stop working, and every device is signed out.',
      'If you did not ask for this, close this page and use the link in our earlier email. Nothing happens until you press the button.',
    ],
    button: 'Turn off the code',
    done: 'Signing in no longer asks for a code. Set up an authenticator app again in Settings.',
    next: { to: '/auth', label: 'Sign in' },
  },
} as const;

/**
 * The page of the links in mails about a reset of the second factor: stops the reset, or finishes
 * it.
 */
export function ResetFactorForm({
  type,
  email,
  token,
}: {
  type: keyof typeof RESET_TEXTS;
  email: string;
  token: string;
}) {
  const [isDone, setDone] = useState(false);
  const text = RESET_TEXTS[type];
  const follow = useAsyncAction<void, unknown>(
    async () => {
      await followResetLink(type, token);
      // The session of this browser has ended with all the others.
      await signOut().catch(() => undefined);
    },
    () => {
      announce(text.done);
      setDone(true);
    },
  );
  if (isDone)
    return (
      <AuthFrame title="Done" hint={`For ${email}.`}>
        <p className="text-14 text-ink-2">{text.done}</p>
        <LinkButton to={text.next.to} variant="primary" className="mt-4">
          {text.next.label}
        </LinkButton>
      </AuthFrame>
    );
  return (
    <AuthFrame title={text.title} hint={`For ${email}.`}>
      <Card className="space-y-4 p-5">
        {text.lines.map((line, index) => (
          <p key={line} className={index === 0 ? 'text-14 text-ink' : 'text-13 text-ink-2'}>
            {line}
          </p>
        ))}
        {follow.error !== null && (
          <Notice tone="bad">
            <p>{authErrorMessage(follow.error)}</p>
          </Notice>
        )}
        <Button
          variant="primary"
          className="w-full"
          pending={follow.pending}
          onClick={() => follow.run()}
        >
          {text.button}
        </Button>
      </Card>
    </AuthFrame>
  );
}
