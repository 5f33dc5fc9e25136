import { useNavigate } from 'react-router-dom';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { signOutEverywhere } from './session.ts';
import { useAsyncAction } from './use-async-action.ts';

/** Asks for confirmation, then ends every session of the member, including this one. */
export function SignOutEverywhere({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  // The action itself shows the toast and navigates: ending the session unmounts a member page
  // before `onDone` would run.
  const signOut = useAsyncAction(async () => {
    await signOutEverywhere();
    toast('You are signed out on every device.');
    await navigate('/');
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
