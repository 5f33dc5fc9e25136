import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { DialogProps } from './dialog-popup.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorText } from './error-text.tsx';
import { Form } from './form.tsx';

type FormDialogProps = {
  title: ReactNode;
  /** The submit button's label, a verb with its object; null for a form without one. */
  action: string | null;
  tone?: 'primary' | 'danger';
  width?: DialogProps['width'];
  /** The label of the button that closes the dialog. */
  closeLabel?: string;
  onSubmit: () => void;
  onClose: () => void;
  pending: boolean;
  disabled?: boolean;
  /** The error of the last submit. */
  error?: unknown;
  /** The message of the error if no field shows it. */
  message?: string;
  children: ReactNode;
};

export function FormDialog({
  title,
  action,
  tone = 'primary',
  width = 'form',
  closeLabel = 'Cancel',
  onSubmit,
  onClose,
  pending,
  disabled = false,
  error = null,
  message = '',
  children,
}: FormDialogProps) {
  return (
    <Dialog open onClose={onClose} title={title} width={width}>
      <Form error={error} onSubmit={onSubmit} className="space-y-4">
        {children}
        <ErrorText>{message}</ErrorText>
        {/* The buttons of a form that is higher than the window stay in view. */}
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-raised px-5 py-3 max-sm:rounded-none sm:-mx-6 sm:-mb-6 sm:px-6">
          <Button onClick={onClose}>{closeLabel}</Button>
          {action !== null && (
            <Button type="submit" variant={tone} pending={pending} disabled={disabled}>
              {action}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
