import { Webhook as WebhookIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CreatedWebhook, Webhook } from '#contract/webhooks.ts';
import { formatNumber, plural, wordFor } from '#contract/language.ts';
import { SecretDialog } from '#web/shared/secret-dialogs.tsx';
import { SettingsList, SettingsSubpage } from '#web/shared/settings-list.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { useChangeWebhook, useSendTest, useWebhooks } from './queries.ts';
import { showResult } from './delivery-log.tsx';
import { DeleteDialog, RotateWebhookDialog, WebhookFormDialog } from './webhook-dialogs.tsx';
import { WebhookRow, type WebhookAction } from './webhook-row.tsx';

/** Manages the member's webhooks. The URL says which log is open. */
export function WebhooksPage() {
  const query = useWebhooks();
  const { data } = query;
  const [dialog, setDialog] = useState<ReactNode>(null);
  const [params, setParams] = useSearchParams();
  const change = useChangeWebhook(({ disabled }) =>
    toast(disabled === null ? 'Webhook enabled.' : 'Webhook disabled.'),
  );
  const test = useSendTest(showResult);
  const webhooks = data?.webhooks;
  const count = webhooks?.length ?? 0;
  const limits = data?.limits;
  const notSent = data?.notSent ?? 0;
  const isFull = limits !== undefined && count >= limits.endpoints;
  const close = (): void => setDialog(null);
  const showSecret = ({ secret }: CreatedWebhook): void =>
    setDialog(
      <SecretDialog
        title="Copy the signing secret"
        hint="This is the only time we show it. Check the signature of every request with it, so that nobody else can send you events. Libraries for Standard Webhooks do that in a few lines."
        secret={secret}
        label="Copy secret"
        onClose={close}
      />,
    );
  const openForm = (webhook: Webhook | null): void =>
    setDialog(<WebhookFormDialog webhook={webhook} onCreated={showSecret} onClose={close} />);
  const showError = (failed: Error): void =>
    toast('That did not work.', { tone: 'bad', note: failed.message });
  const act = (action: WebhookAction, webhook: Webhook): void => {
    if (action === 'log')
      setParams(params.get('log') === webhook.id ? {} : { log: webhook.id }, { replace: true });
    else if (action === 'test') test.mutate(webhook.id, { onError: showError });
    else if (action === 'enable')
      change.mutate({ id: webhook.id, enabled: true }, { onError: showError });
    else if (action === 'disable')
      change.mutate({ id: webhook.id, enabled: false }, { onError: showError });
    else if (action === 'edit') openForm(webhook);
    else if (action === 'rotate')
      setDialog(<RotateWebhookDialog webhook={webhook} onRotated={showSecret} onClose={close} />);
    else setDialog(<DeleteDialog webhook={webhook} onClose={close} />);
  };
  const addButton = (
    <Button variant="primary" disabled={isFull} onClick={() => openForm(null)}>
      Add webhook
    </Button>
  );
  return (
    <SettingsSubpage
      title="Webhooks"
      hint={
        isFull
          ? 'You have as many webhooks as your plan includes. Delete one to add another.'
          : 'Tell your own systems when links change or are clicked.'
      }
      action={count > 0 && addButton}
    >
      <SettingsList
        query={query}
        items={webhooks}
        noun="webhooks"
        skeleton={{ rows: 1, bars: ['h-4 w-64 max-w-full', 'h-4 w-48', 'h-3 w-40'] }}
        empty={
          <EmptyState icon={<WebhookIcon />} title="No webhooks yet" action={addButton}>
            Add an address of yours, and we send it a signed request for every event that you
            choose.
          </EmptyState>
        }
      >
        {(webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            now={query.dataUpdatedAt}
            isLogOpen={params.get('log') === webhook.id}
            isTesting={test.isPending && test.variables === webhook.id}
            onAction={(action) => act(action, webhook)}
          />
        )}
      </SettingsList>
      {limits !== undefined && notSent > 0 && (
        <p className="mt-3 text-13 text-ink-2">
          {`${plural(notSent, 'event')} of the last 7 days ${wordFor(notSent, 'was', 'were')} not sent, because your plan includes ${formatNumber(limits.deliveriesPerDay)} deliveries a day. The count resets at midnight UTC.`}
        </p>
      )}
      <p className="mt-3 text-13 text-ink-3">
        {limits !== undefined &&
          `Your plan includes ${limits.endpoints} webhooks and ${formatNumber(limits.deliveriesPerDay)} deliveries a day. `}
        Webhooks keep working when you sign out or change your password. Requests are signed
        according to{' '}
        <a href="https://www.standardwebhooks.com" className={textLinkClass}>
          Standard Webhooks
        </a>
        . The{' '}
        <a href="/api/v1/openapi.json" className={textLinkClass}>
          description of the API (OpenAPI)
        </a>{' '}
        lists every event.
      </p>
      {dialog}
    </SettingsSubpage>
  );
}
