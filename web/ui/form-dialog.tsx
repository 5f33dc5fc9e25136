import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { DialogProps } from './dialog-popup.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { Form } from './form.tsx';

/** The error of a form's last request, and its message where no field shows it. */
export type FormErrors = { error: unknown; rest: string };

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
  errors?: FormErrors;
  children: ReactNode;
};

const NO_ERRORS: FormErrors = { error: null, rest: '' };

export function FormDialog({
  title,
  action,
  tone = 'primary',
  width = 'form',
  closeLabel = 'Cancel',
  onSubmit,
  onClose,
  pending,
  errors = NO_ERRORS,
  children,
}: FormDialogProps) {
  return (
    <Dialog open onClose={onClose} title={title} width={width}>
      <Form error={errors.error} onSubmit={onSubmit} className="space-y-4">
        {children}
        <DialogActions error={errors.rest}>
          <Button onClick={onClose}>{closeLabel}</Button>
          {action !== null && (
            <Button type="submit" variant={tone} pending={pending}>
              {action}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}
