import { useNavigate } from 'react-router-dom';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { signOutEverywhere } from './session.ts';
import { useAsyncAction } from './use-async-action.ts';

/** Asks, then ends every session of the member, this one included. */
export function SignOutEverywhere({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  // All of it in the call itself: when the session ends, a page for members is gone before an `onDone` would run.
  const call = useAsyncAction(async () => {
    await signOutEverywhere();
    toast('You are signed out on every device.');
    await navigate('/');
  }, onClose);
  return (
    <ConfirmDialog
      open={open}
      onClose={() => {
        call.reset();
        onClose();
      }}
      onConfirm={() => call.run(undefined)}
      pending={call.pending}
      title="Sign out everywhere?"
      action="Sign out everywhere"
      tone="primary"
      error={call.error === null ? '' : 'We couldn’t sign you out on every device. Check your connection and try again.'}
    >
      This ends your session here and on every other device. Each of them asks for your password again.
    </ConfirmDialog>
  );
}
