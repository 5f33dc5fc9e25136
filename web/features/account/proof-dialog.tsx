import type { ReactNode } from 'react';
import { authErrorMessage, isCurrentPasswordError } from '#web/shared/sign-in/auth-api.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CurrentPasswordField, proofBeforeForm, useProvenChange } from './identity-check.tsx';

/** A dialog for a change that needs the current password, or what replaces it. */
export function ProofDialog<Output>({
  title,
  action,
  tone = 'primary',
  email,
  send,
  onDone,
  onClose,
  describeError = authErrorMessage,
  children,
}: {
  title: string;
  action: string;
  tone?: 'primary' | 'danger';
  email: string;
  send: (currentPassword: string) => Promise<Output>;
  /** Receives the password too, for a change that follows at once. */
  onDone: (output: Output, currentPassword: string) => void;
  onClose: () => void;
  describeError?: (error: unknown) => string;
  children: ReactNode;
}) {
  const { check, change, codeDialog, missing } = useProvenChange(
    (_: void, password) => send(password),
    (output, proof) => onDone(output, proof.password),
  );
  const required = useRequired({ current: missing });
  const proof = proofBeforeForm(check, email);
  if (proof !== null)
    return (
      <Dialog open onClose={onClose} title={title}>
        {proof}
      </Dialog>
    );
  const message = change.error === null ? '' : describeError(change.error);
  const isAboutCurrent = isCurrentPasswordError(change.error);
  return (
    <FormDialog
      title={title}
      action={action}
      tone={tone}
      pending={change.isPending}
      errors={{ error: change.error, rest: isAboutCurrent ? '' : message }}
      onSubmit={() => required.check() && change.mutate()}
      onClose={onClose}
    >
      {codeDialog}
      <p className="text-14 text-ink-2">{children}</p>
      <CurrentPasswordField
        check={check}
        error={required.at('current') || (isAboutCurrent ? message : '')}
      />
    </FormDialog>
  );
}
