import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { authErrorMessage, isCurrentPasswordError } from '#web/shared/sign-in/auth-api.ts';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import {
  CurrentPasswordField,
  ENTER_PASSWORD,
  proofBeforeForm,
  useIdentityCheck,
} from './identity-check.tsx';

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
  const check = useIdentityCheck();
  const codeCheck = useCodeCheck();
  const change = useMutation({
    mutationFn: () => codeCheck.run(() => send(check.password)),
    onSuccess: (output) => onDone(output, check.password),
    onError: (error) => {
      if (check.method !== 'password' && isCurrentPasswordError(error)) check.restart();
    },
  });
  const required = useRequired({
    current: check.method === 'password' && check.password === '' && ENTER_PASSWORD,
  });
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
      {codeCheck.dialog}
      <p className="text-14 text-ink-2">{children}</p>
      <CurrentPasswordField
        check={check}
        error={required.at('current') || (isAboutCurrent ? message : '')}
      />
    </FormDialog>
  );
}
