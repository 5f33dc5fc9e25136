import { useState } from 'react';
import { ROTATION_HOURS } from '#contract/api-keys.ts';
import type { CreatedWebhook, Webhook } from '#contract/webhooks.ts';
import { readableUrl } from '#web/shared/format.ts';
import { OverlapField } from '#web/shared/overlap-field.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useDeleteWebhook, useRotateWebhook } from './queries.ts';

/** The only time that a webhook's secret is shown. */
export function SecretDialog({
  webhook,
  onClose,
}: {
  webhook: CreatedWebhook;
  onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title="Copy the signing secret" width="reading">
      <p className="text-14 text-ink-2">
        This is the only time we show it. Check the signature of every request with it, so that
        nobody else can send you events. Libraries for Standard Webhooks do that in a few lines.
      </p>
      <div className="mt-4">
        <CodeToCopy text={webhook.secret} label="Copy secret" variant="primary" />
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

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
        Requests are signed with a new secret, and for as long as you choose also with the present
        one, so that you can replace it without an interruption.
      </p>
      <OverlapField hours={overlapHours} onChange={setOverlapHours} />
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
        <span className="font-mono">{readableUrl(webhook.url)}</span> gets no more events, and its
        log is deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
