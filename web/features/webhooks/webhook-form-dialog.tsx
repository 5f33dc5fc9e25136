import { useState } from 'react';
import {
  WEBHOOK_EVENT_TEXTS,
  WEBHOOK_EVENTS,
  type CreatedWebhook,
  type Webhook,
  type WebhookEventType,
} from '#contract/webhooks.ts';
import { serverErrors } from '#web/shared/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { CheckboxGroup } from '#web/ui/checkbox-group.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useChangeWebhook, useCreateWebhook } from './queries.ts';

const NEW_EVENTS: WebhookEventType[] = [
  'link.created',
  'link.updated',
  'link.disabled',
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
  const [invalid, setInvalid] = useState<{ url?: string; events?: string }>({});
  const create = useCreateWebhook(onCreated);
  const change = useChangeWebhook(() => {
    toast('Webhook changed.');
    onClose();
  });
  const { isPending, error } = webhook === null ? create : change;
  const errors = serverErrors(error, ['url', 'description', 'events']);
  const submit = (): void => {
    const found = {
      ...(url.trim() === '' && { url: 'Enter the address that gets the events.' }),
      ...(events.length === 0 && { events: 'Choose at least one.' }),
    };
    setInvalid(found);
    if (Object.keys(found).length > 0) return;
    const body = { url: url.trim(), description, events };
    if (webhook === null) create.mutate(body);
    else change.mutate({ id: webhook.id, ...body });
  };
  return (
    <FormDialog
      title={webhook === null ? 'Add webhook' : 'Edit webhook'}
      action={webhook === null ? 'Add webhook' : 'Save changes'}
      pending={isPending}
      error={error}
      message={errors.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        {...VERBATIM}
        label="Address"
        hint="An https address that answers 2xx within 10 seconds."
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
    </FormDialog>
  );
}
