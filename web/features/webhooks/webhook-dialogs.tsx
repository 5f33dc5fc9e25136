import { useState } from 'react';
import { ROTATION_HOURS } from '#contract/api-keys.ts';
import type { CreatedWebhook, Webhook } from '#contract/webhooks.ts';
import { readableUrl } from '#web/shared/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/input.tsx';
import { useDeleteWebhook, useRotateWebhook } from './queries.ts';

/** The only time that a webhook's secret is shown. */
export function SecretDialog({ webhook, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Copy the signing secret" width="reading">
      <p className="text-14 text-ink-2">
        This is the only time we show it. Check the signature of every request with it, so that nobody else can send you events.
        Libraries for Standard Webhooks do that in a few lines.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-64 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-13 [overflow-wrap:anywhere]">
          {webhook.secret}
        </code>
        <CopyButton text={webhook.secret} label="Copy secret" variant="primary" />
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

const OVERLAPS = [
  { hours: 0, label: 'Stops at once' },
  { hours: 1, label: 'Works for another hour' },
  { hours: ROTATION_HOURS, label: 'Works for another 24 hours' },
  { hours: 168, label: 'Works for another 7 days' },
];

/** Gives a webhook a new secret. `onRotated` gets it. */
export function RotateDialog({
  webhook,
  onRotated,
  onClose,
}: {
  webhook: Webhook;
  onRotated: (webhook: CreatedWebhook) => void;
  onClose: () => void;
}) {
  const [overlapHours, setOverlapHours] = useState<number>(ROTATION_HOURS);
  const rotate = useRotateWebhook(onRotated);
  return (
    <ConfirmDialog
      open
      title="Rotate this secret?"
      action="Rotate secret"
      tone="primary"
      pending={rotate.isPending}
      error={rotate.error?.message ?? ''}
      onConfirm={() => rotate.mutate({ id: webhook.id, overlapHours })}
      onClose={onClose}
    >
      <p className="mb-4">
        Requests are signed with a new secret, and for as long as you choose also with the present one, so that you can replace it
        without an interruption.
      </p>
      <Field label="Present secret">
        {(control) => (
          <Select {...control} value={overlapHours} onChange={(event) => setOverlapHours(Number(event.target.value))}>
            {OVERLAPS.map(({ hours, label }) => (
              <option key={hours} value={hours}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </ConfirmDialog>
  );
}

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(() => {
    toast('Webhook deleted.');
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title="Delete this webhook?"
      action="Delete webhook"
      pending={remove.isPending}
      error={remove.error?.message ?? ''}
      onConfirm={() => remove.mutate(webhook.id)}
      onClose={onClose}
    >
      <p className="[overflow-wrap:anywhere]">
        <span className="font-mono">{readableUrl(webhook.url)}</span> gets no more events, and its log is deleted. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  );
}
