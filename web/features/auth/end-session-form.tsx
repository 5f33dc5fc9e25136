import { announce } from '#web/ui/announcer.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { authErrorMessage } from '#web/shared/sign-in/auth-api.ts';
import { currentSession, refreshAccessToken } from '#web/shared/session/session.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { endReportedSession, type MailLinkDetails } from './describe-link.ts';

/** The page of the link in the notice of a sign-in. Only its button ends that session. */
export function EndSessionForm({
  tokenHash,
  details: { email, keepsPassword },
  onInvalid,
}: {
  tokenHash: string;
  details: MailLinkDetails;
  onInvalid: () => void;
}) {
  const end = useAsyncAction<void, boolean>(
    async () => {
      const isEnded = await endReportedSession(tokenHash);
      // The session of this browser may have ended with it. Otherwise the next page would take the
      // visitor for a member.
      if (isEnded && currentSession().status === 'member')
        await refreshAccessToken().catch(() => undefined);
      return isEnded;
    },
    (isEnded) => {
      if (!isEnded) onInvalid();
      else announce(keepsPassword ? ENDED : ALL_ENDED);
    },
  );
  if (end.data === true)
    return (
      <AuthFrame title={keepsPassword ? ENDED : ALL_ENDED} hint={`For ${email}.`}>
        <Card className="space-y-4 p-5">
          <p className="text-14 text-ink-2">
            {keepsPassword
              ? 'Somebody signed in with your mailbox, a passkey or your company account. Change the password there, and check the older passkeys in Settings.'
              : 'Choose a new password by email. Then look at your older passkeys, API keys and webhooks: they keep working until you delete them.'}
          </p>
          <LinkButton
            to={keepsPassword ? '/auth' : '/auth?tab=forgot'}
            state={{ email }}
            variant="primary"
            className="w-full"
          >
            {keepsPassword ? 'Sign in' : 'Choose a new password'}
          </LinkButton>
        </Card>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Was that not you?" hint={`For ${email}.`}>
      <Card className="space-y-4 p-5">
        <p className="text-14 text-ink">
          {keepsPassword
            ? `This ends the sign-in that we emailed you about, and sessions that began later. ${ADDED} Earlier sessions stay.`
            : `Somebody signed in with your password. This removes the password and signs out every device. ${ADDED} Then you choose another password.`}
        </p>
        <p className="text-13 text-ink-2">
          If you signed in yourself, close this page. Nothing happens until you press the button.
        </p>
        {end.error !== null && (
          <Notice tone="bad">
            <p>{authErrorMessage(end.error)}</p>
          </Notice>
        )}
        <Button
          variant="primary"
          className="w-full"
          pending={end.pending}
          onClick={() => end.run()}
        >
          {keepsPassword ? 'End that sign-in' : 'Sign out everywhere'}
        </Button>
      </Card>
    </AuthFrame>
  );
}

const ADDED =
  'It also removes passkeys, company accounts, API keys and webhooks that were added since.';
const ENDED = 'That sign-in has ended';
const ALL_ENDED = 'You are signed out everywhere';
