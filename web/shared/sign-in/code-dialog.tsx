import { Dialog } from '#web/ui/dialog.tsx';
import { PasskeyProof } from './passkey-proof.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks a member for a second factor before a sensitive action: a code, or a passkey. */
export const CodeDialog = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Confirm that it is you">
    <div className="space-y-3">
      <SecondFactorForm button="Confirm" onDone={onDone} />
      <PasskeyProof label="Use a passkey" onUsed={onDone} />
    </div>
  </Dialog>
);
