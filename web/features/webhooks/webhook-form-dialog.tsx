import { useEffect, useRef, useState } from 'react';
import {
  WEBHOOK_EVENT_TEXTS,
  WEBHOOK_EVENTS,
  type CreatedWebhook,
  type Webhook,
  type WebhookEventType,
} from '#contract/webhooks.ts';
import { errorField } from '#web/shared/api.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useChangeWebhook, useCreateWebhook } from './queries.ts';

const NEW_EVENTS: readonly WebhookEventType[] = [
  'link.created',
  'link.updated',
  'link.disabled',
  'link.deleted',
];

/**
 * Asks for the address and the events of a new webhook, or of the given one. `onCreated` gets a new
 * one with its secret.
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
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? NEW_EVENTS);
  const [invalid, setInvalid] = useState<{ url?: string; events?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  const create = useCreateWebhook(onCreated);
  const change = useChangeWebhook(() => {
    toast('Webhook changed.');
    onClose();
  });
  const sending = webhook === null ? create : change;
  useEffect(() => {
    if (sending.error !== null) focusFirstError(form.current);
  }, [sending.error]);
  const field = errorField(sending.error).split('.')[0];
  const serverError = (of: string): string | undefined =>
    field === of ? sending.error?.message : undefined;
  const submit = (element: HTMLFormElement): void => {
    const errors = {
      ...(url.trim() === '' ? { url: 'Enter the address that gets the events.' } : {}),
      ...(events.length === 0 ? { events: 'Choose at least one.' } : {}),
    };
    setInvalid(errors);
    if (Object.keys(errors).length > 0) {
      focusFirstErrorSoon(element);
      return;
    }
    const body = { url: url.trim(), description, events: [...events] };
    if (webhook === null) create.mutate(body);
    else change.mutate({ id: webhook.id, ...body });
  };
  const eventsError = invalid.events ?? serverError('events');
  return (
    <Dialog open onClose={onClose} title={webhook === null ? 'Add webhook' : 'Edit webhook'}>
      <form
        ref={form}
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field
          label="Address"
          hint="An https address that answers 2xx within 10 seconds."
          error={invalid.url ?? serverError('url')}
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              value={url}
              placeholder="https://example.com/hop"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description (optional)" error={serverError('description')}>
          {(control) => (
            <Input
              {...control}
              value={description}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="space-y-2.5">
          <legend className="mb-1.5 text-13 font-medium text-ink">Events</legend>
          {WEBHOOK_EVENTS.map((name) => (
            <Checkbox
              key={name}
              label={<span className="font-mono text-13">{name}</span>}
              hint={WEBHOOK_EVENT_TEXTS[name]}
              checked={events.includes(name)}
              aria-invalid={eventsError === undefined ? undefined : true}
              onChange={(event) =>
                setEvents((before) =>
                  event.target.checked
                    ? [...before, name]
                    : before.filter((other) => other !== name),
                )
              }
            />
          ))}
          {eventsError !== undefined && (
            <p role="alert" className="text-13 text-bad">
              {eventsError}
            </p>
          )}
        </fieldset>
        {sending.error !== null && field === '' && (
          <p role="alert" className="text-13 text-bad">
            {sending.error.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={sending.isPending}>
            {webhook === null ? 'Add webhook' : 'Save changes'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
