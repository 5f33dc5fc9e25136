import type { QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ROTATION_HOURS } from '#contract/api-keys.ts';
import { useSend } from '#web/shared/use-send.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

/** Shows a secret, which is never shown again. `hint` says what it is for; `children` follow it. */
export function SecretDialog({
  title,
  hint,
  secret,
  label,
  onClose,
  children,
}: {
  title: string;
  hint: ReactNode;
  secret: string;
  label: string;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog open onClose={onClose} title={title} width="reading">
      <p className="text-14 text-ink-2">{hint}</p>
      <div className="mt-4">
        <CodeToCopy text={secret} label={label} variant="primary" />
      </div>
      {children}
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

const OVERLAPS = [
  [0, 'Stops at once'],
  [1, 'Works for another hour'],
  [ROTATION_HOURS, 'Works for another 24 hours'],
  [168, 'Works for another 7 days'],
] as const;

/**
 * Replaces a secret by sending the request that `rotate` makes; the old one stays valid for some
 * hours. `reloads` are the queries that show the change.
 */
export function RotateDialog<Created>({
  title,
  action,
  rotate,
  reloads,
  onRotated,
  onClose,
  children,
}: {
  title: string;
  action: string;
  rotate: (body: { overlapHours: number }) => Promise<Created>;
  reloads: readonly QueryKey[];
  onRotated: (created: Created) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const [overlapHours, setOverlapHours] = useState<number>(ROTATION_HOURS);
  const rotation = useSend(rotate, reloads, onRotated);
  return (
    <ConfirmDialog
      open
      title={title}
      action={action}
      tone="primary"
      pending={rotation.isPending}
      error={rotation.error?.message ?? ''}
      onConfirm={() => rotation.mutate({ overlapHours })}
      onClose={onClose}
    >
      <p className="mb-4">{children}</p>
      <SelectField
        label="Present secret"
        choices={OVERLAPS}
        value={overlapHours}
        onSelect={(hours) => setOverlapHours(Number(hours))}
      />
    </ConfirmDialog>
  );
}
