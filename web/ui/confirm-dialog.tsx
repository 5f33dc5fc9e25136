import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorText } from './error-text.tsx';

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
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="text-14 [overflow-wrap:anywhere] text-ink-2">{children}</div>
      <ErrorText className="mt-3">{error}</ErrorText>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={tone} pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
