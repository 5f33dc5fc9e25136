import { useState, type ReactNode } from 'react';
import { ROTATION_HOURS } from '#contract/limits.ts';
import { api } from '#web/shared/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { SendDialog, type SendDialogProps } from '#web/shared/api/send-dialog.tsx';

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
      <div data-first-focus className="mt-4">
        <CodeToCopy text={secret} label={label} variant="primary" />
      </div>
      {children}
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}

const OVERLAPS = [
  [0, 'Stops at once'],
  [1, 'Works for another hour'],
  [ROTATION_HOURS, `Works for another ${ROTATION_HOURS} hours`],
  [168, 'Works for another 7 days'],
] as const;

/**
 * Replaces the secret of an API key or a webhook with the API path `path`. The old one stays valid
 * for some hours; `onDone` receives the new one.
 */
export function RotateDialog<Created>({
  path,
  children,
  ...dialog
}: Omit<SendDialogProps<Created>, 'send' | 'tone'> & { path: string }) {
  const codeCheck = useCodeCheck();
  const [overlapHours, setOverlapHours] = useState<number>(ROTATION_HOURS);
  return (
    <SendDialog
      {...dialog}
      tone="primary"
      send={() =>
        codeCheck.run(() =>
          api<Created>(`${path}/rotate`, { method: 'POST', body: { overlapHours } }),
        )
      }
    >
      {codeCheck.dialog}
      <p className="mb-4">{children}</p>
      <SelectField
        label="Present secret"
        choices={OVERLAPS}
        value={overlapHours}
        onSelect={(hours) => setOverlapHours(Number(hours))}
      />
    </SendDialog>
  );
}
