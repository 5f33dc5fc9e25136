import type { CreatedWebhook, Webhook } from '#contract/webhooks.ts';
import { readableUrl } from '#web/shared/format.ts';
import { RotateDialog } from '#web/shared/secret-dialogs.tsx';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useDeleteWebhook, useRotateWebhook } from './queries.ts';

/** `onRotated` receives the webhook with its new secret. */
export function RotateWebhookDialog({
  webhook,
  onRotated,
  onClose,
}: {
  webhook: Webhook;
  onRotated: (webhook: CreatedWebhook) => void;
  onClose: () => void;
}) {
  return (
    <RotateDialog
      title="Rotate this secret?"
      action="Rotate secret"
      id={webhook.id}
      rotation={useRotateWebhook(onRotated)}
      onClose={onClose}
    >
      Requests are signed with a new secret, and for as long as you choose also with the present
      one, so that you can replace it without an interruption.
    </RotateDialog>
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
