import type { QueryKey } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useSend } from './use-send.ts';

export type SendDialogProps<Output> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'action' | 'tone' | 'onClose' | 'children'
> & {
  send: () => Promise<Output>;
  /** The queries that show the change. */
  reloads: readonly QueryKey[];
  onDone: (output: Output) => void;
};

/** Sends a request once it is confirmed. If that fails, it stays open and says why. */
export function SendDialog<Output>({ send, reloads, onDone, ...dialog }: SendDialogProps<Output>) {
  const request = useSend(send, reloads, onDone);
  return (
    <ConfirmDialog
      open
      {...dialog}
      pending={request.isPending}
      error={request.error?.message ?? ''}
      onConfirm={() => request.mutate(undefined)}
    />
  );
}
