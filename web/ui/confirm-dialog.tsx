import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before what cannot be undone. `error` shows above the buttons; the dialog stays open while `pending`. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  action,
  pending = false,
  error = '',
  tone = 'danger',
  children,
}: {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** The verb on the button: 'Delete link'. */
  action: string;
  pending?: boolean;
  error?: string;
  /** 'primary' for what harms nothing. */
  tone?: 'danger' | 'primary';
  children: ReactNode;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="text-14 text-ink-2">{children}</div>
      {error !== '' && (
        <p role="alert" className="mt-3 text-13 text-bad">
          {error}
        </p>
      )}
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={tone} pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
