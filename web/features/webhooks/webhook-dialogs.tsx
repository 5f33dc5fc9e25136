import {
  type CreatedWebhook,
  type Webhook,
  type WebhookRequest,
} from '#contract/webhooks/webhooks.ts';
import {
  WEBHOOK_EVENTS,
  WEBHOOK_EVENT_TEXTS,
  type WebhookEventType,
} from '#contract/webhooks/webhook-events.ts';
import { api } from '#web/shared/api/api.ts';
import { RotateDialog } from '#web/shared/secrets/secret-dialogs.tsx';
import { SendDialog } from '#web/shared/api/send-dialog.tsx';
import { toast } from '#web/ui/announcer.ts';
import {
  addressOf,
  WEBHOOK_LIST,
  webhookPath,
  useChangeWebhook,
  WEBHOOK_QUERIES,
} from './queries.ts';
import { useState } from 'react';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { CheckboxGroup, NONE_CHOSEN } from '#web/ui/checkbox.tsx';
import { useTagNames } from '#web/shared/link-settings/use-tags.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** `onRotated` receives the webhook with its new secret. */
export const RotateWebhookDialog = ({
  webhook,
  onRotated,
  onClose,
}: {
  webhook: Webhook;
  onRotated: (webhook: CreatedWebhook) => void;
  onClose: () => void;
}) => (
  <RotateDialog
    title="Rotate this secret?"
    action="Rotate secret"
    path={webhookPath(webhook.id)}
    reloads={WEBHOOK_QUERIES}
    onDone={onRotated}
    onClose={onClose}
  >
    Requests are signed with a new secret, and for as long as you choose also with the present one,
    so that you can replace it without an interruption.
  </RotateDialog>
);

export const DeleteDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => (
  <SendDialog
    title="Delete this webhook?"
    action="Delete webhook"
    send={() => api(webhookPath(webhook.id), { method: 'DELETE' })}
    reloads={[WEBHOOK_LIST]}
    onDone={() => {
      toast('Webhook deleted.');
      onClose();
    }}
    onClose={onClose}
  >
    <p className="[overflow-wrap:anywhere]">
      <span className="font-mono">{addressOf(webhook)}</span> gets no more events, and its log is
      deleted. This cannot be undone.
    </p>
  </SendDialog>
);

const NEW_EVENTS: WebhookEventType[] = [
  'link.created',
  'link.updated',
  'link.disabled',
  'link.expired',
  'link.deleted',
];
const EVENT_CHOICES = WEBHOOK_EVENTS.map((value) => ({
  value,
  label: <span className="font-mono text-13">{value}</span>,
  hint: WEBHOOK_EVENT_TEXTS[value],
}));

/**
 * Asks for the URL and events of a webhook, new or existing. `onCreated` receives a new one with
 * its secret.
 */
export function WebhookFormDialog({
  webhook,
  onCreated,
  onClose,
}: {
  webhook: Webhook | null;
  onCreated: (webhook: CreatedWebhook) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState(webhook?.events ?? NEW_EVENTS);
  const [tag, setTag] = useState(webhook?.tag ?? '');
  const tagNames = useTagNames();
  const [invalid, setInvalid] = useState<{ url?: string; events?: string }>({});
  const create = useSend(
    (body: WebhookRequest) => api<CreatedWebhook>('/api/webhooks', { method: 'POST', body }),
    WEBHOOK_QUERIES,
    onCreated,
  );
  const change = useChangeWebhook(() => {
    toast('Webhook changed.');
    onClose();
  });
  const { isPending, error } = webhook === null ? create : change;
  const errors = serverErrors(error, ['url', 'description', 'events', 'tag']);
  const submit = (): void => {
    const found = {
      ...(url.trim() === '' &&
        webhook?.url !== null && { url: 'Enter the address that gets the events.' }),
      ...(events.length === 0 && { events: NONE_CHOSEN }),
    };
    setInvalid(found);
    if (Object.keys(found).length > 0) return;
    const address = url.trim();
    const body = { description, events, tag: tag || null };
    if (webhook === null) create.mutate({ url: address, ...body });
    else change.mutate({ id: webhook.id, ...body, ...(address === '' ? {} : { url: address }) });
  };
  return (
    <FormDialog
      title={webhook === null ? 'Add webhook' : 'Edit webhook'}
      action={webhook === null ? 'Add webhook' : 'Save changes'}
      pending={isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        {...VERBATIM}
        label="Address"
        hint="An https address of a public host that answers 2xx within 10 seconds."
        error={invalid.url ?? errors.at('url')}
        type="url"
        inputMode="url"
        value={url}
        placeholder="https://example.com/hop"
        className="font-mono"
        onText={setUrl}
      />
      <TextField
        label="Description (optional)"
        error={errors.at('description')}
        value={description}
        maxLength={100}
        autoComplete="off"
        onText={setDescription}
      />
      <CheckboxGroup
        legend="Events"
        choices={EVENT_CHOICES}
        chosen={events}
        error={invalid.events ?? errors.at('events')}
        onChange={setEvents}
      />
      {(tagNames.length > 0 || tag !== '') && (
        <SelectField
          label="Links"
          hint="A link that loses the tag sends a last event."
          error={errors.at('tag')}
          choices={[
            ['', 'All links'],
            // A tag that was deleted stays until another choice is saved.
            ...[...new Set([...tagNames, ...(tag === '' ? [] : [tag])])].map(
              (name) => [name, `Links tagged ${name}`] as const,
            ),
          ]}
          value={tag}
          onSelect={setTag}
        />
      )}
    </FormDialog>
  );
}
