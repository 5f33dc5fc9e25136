import { Dialog } from '#web/ui/dialog.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks a member for a code before a sensitive action. */
export const CodeDialog = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Confirm that it is you">
    <SecondFactorForm button="Confirm" onDone={onDone} />
  </Dialog>
);
