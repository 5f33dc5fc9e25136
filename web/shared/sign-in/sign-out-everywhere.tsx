import { useNavigate } from 'react-router-dom';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { config } from '#web/shared/page/config.ts';
import { signOutEverywhere } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

/**
 * Returns what to say after the sign-out about the company's provider. It is called before the
 * sign-out, because it reads the session.
 */
export async function readSignOutOffer(): Promise<() => void> {
  if (config.auth.sso === null) return () => undefined;
  const loaded = await import('#web/shared/session/provider-sign-out.ts').catch(() => null);
  return loaded?.readProviderOffer() ?? (() => undefined);
}

/** Asks for confirmation, then ends every session of the member, including this one. */
export function SignOutEverywhere({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  // The action itself shows the toast and navigates: ending the session unmounts a member page
  // before `onDone` would run.
  const signOut = useAsyncAction(async () => {
    const offerProvider = await readSignOutOffer();
    await signOutEverywhere();
    toast('You are signed out on every device.');
    await navigate('/');
    offerProvider();
  }, onClose);
  return (
    <ConfirmDialog
      open={open}
      onClose={() => {
        signOut.reset();
        onClose();
      }}
      onConfirm={() => signOut.run(undefined)}
      pending={signOut.pending}
      title="Sign out everywhere?"
      action="Sign out everywhere"
      tone="primary"
      error={
        signOut.error === null
          ? ''
          : 'We couldn’t sign you out on every device. Check your connection and try again.'
      }
    >
      This signs you out here and on every other device. You can sign in again at any time.
    </ConfirmDialog>
  );
}
