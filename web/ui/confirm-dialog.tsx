import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { OFFLINE, RetriesOnline, useRetryOnline } from './offline.ts';

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
  /** The confirming button's label, a verb with its object: 'Delete link'. */
  action: string;
  pending?: boolean;
  error?: string;
  /** Use 'primary' if the action destroys nothing. */
  tone?: 'danger' | 'primary';
  children: ReactNode;
}) {
  useRetryOnline(open && error === OFFLINE, onConfirm);
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="text-14 [overflow-wrap:anywhere] text-ink-2">{children}</div>
      <RetriesOnline value>
        <DialogActions error={error}>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={tone} pending={pending} onClick={onConfirm}>
            {action}
          </Button>
        </DialogActions>
      </RetriesOnline>
    </Dialog>
  );
}
