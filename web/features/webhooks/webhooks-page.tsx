import { Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks/webhook-events.ts';
import type { CreatedWebhook, Webhook } from '#contract/webhooks/webhooks.ts';
import { formatNumber, plural, wordFor } from '#contract/language.ts';
import { SecretDialog } from '#web/shared/secrets/secret-dialogs.tsx';
import {
  SettingsList,
  BadgeList,
  SettingsListItem,
} from '#web/shared/link-settings/settings-list.tsx';
import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { addressOf, useChangeWebhook, useSendTest, useWebhooks } from './queries.ts';
import { showResult, DeliveryLog } from './delivery-log.tsx';
import { DeleteDialog, RotateWebhookDialog, WebhookFormDialog } from './webhook-dialogs.tsx';
import { formatAge, formatDate, formatDateTime } from '#web/shared/texts/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Menu } from '#web/ui/menu.tsx';

/** Manages the member's webhooks. The URL says which log is open. */
export function WebhooksPage() {
  const query = useWebhooks();
  const { data } = query;
  const [dialog, setDialog] = useState<ReactNode>(null);
  const [params, setParams] = useSearchParams();
  const change = useChangeWebhook(({ disabled }) =>
    toast(disabled === null ? 'Webhook enabled.' : 'Webhook disabled.'),
  );
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
  const openRotation = (webhook: Webhook): void =>
    setDialog(<RotateWebhookDialog webhook={webhook} onRotated={showSecret} onClose={close} />);
  const openRemoval = (webhook: Webhook): void =>
    setDialog(<DeleteDialog webhook={webhook} onClose={close} />);
  const enable = (id: string, enabled: boolean): void =>
    change.mutate({ id, enabled }, { onError: (error) => toastFailure(error) });
  const openLog = params.get('log');
  // The log shows the answer for longer than the message does.
  const test = useSendTest((delivery, id) => {
    showResult(delivery);
    setParams({ log: id }, { replace: true });
  });
  const actionsOf = (webhook: Webhook): WebhookActions => ({
    showLog: () => setParams(openLog === webhook.id ? {} : { log: webhook.id }, { replace: true }),
    test: () => test.mutate(webhook.id, { onError: (error) => toastFailure(error) }),
    edit: () => openForm(webhook),
    rotate: () => openRotation(webhook),
    enable: () => enable(webhook.id, true),
    disable: () => enable(webhook.id, false),
    remove: () => openRemoval(webhook),
  });
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
          <EmptyState title="No webhooks yet" action={addButton}>
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
            isLogOpen={openLog === webhook.id}
            isTesting={test.isPending && test.variables === webhook.id}
            actions={actionsOf(webhook)}
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

type WebhookActions = Record<
  'showLog' | 'test' | 'edit' | 'rotate' | 'enable' | 'disable' | 'remove',
  () => void
>;

const DISABLED_BY: Readonly<Record<NonNullable<Webhook['disabled']>['by'], string>> = {
  owner: 'You disabled it',
  gone: 'Disabled: it answered 410 (Gone)',
  failing: `Disabled: every request failed for ${WEBHOOK_FAILING_DAYS} days`,
};

function WebhookRow({
  webhook,
  now,
  isLogOpen,
  isTesting,
  actions,
}: {
  webhook: Webhook;
  now: number;
  isLogOpen: boolean;
  isTesting: boolean;
  actions: WebhookActions;
}) {
  const { id, description, events, tag, createdAt, disabled, failingSince, previousSecretUntil } =
    webhook;
  const name = description === '' ? addressOf(webhook) : description;
  const isFailing = disabled === null && failingSince !== null;
  return (
    <SettingsListItem
      name={name}
      badges={
        <>
          {disabled !== null && <Badge tone="bad">Disabled</Badge>}
          {isFailing && <Badge tone="warn">Failing</Badge>}
        </>
      }
      facts={[
        tag !== null && `Only links tagged ${tag}`,
        `Added ${formatDate(createdAt)}`,
        disabled && `${DISABLED_BY[disabled.by]} ${formatAge(disabled.at, now)}`,
        isFailing && `Failing since ${formatDateTime(failingSince)}`,
        previousSecretUntil &&
          `Also signed with the previous secret until ${formatDateTime(previousSecretUntil)}`,
      ]}
      action={
        <Menu
          label={`Actions for ${name}`}
          items={[
            { label: 'Edit', icon: <Pencil />, onSelect: actions.edit },
            { label: 'Rotate secret', icon: <KeyRound />, onSelect: actions.rotate },
            disabled === null
              ? { label: 'Disable', icon: <Pause />, onSelect: actions.disable }
              : { label: 'Enable', icon: <Play />, onSelect: actions.enable },
            { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: actions.remove },
          ]}
        >
          <Ellipsis className="size-4" />
        </Menu>
      }
      below={
        <>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" aria-expanded={isLogOpen} onClick={actions.showLog}>
              {isLogOpen ? 'Hide deliveries' : 'Show deliveries'}
            </Button>
            <Button
              size="sm"
              disabled={disabled !== null}
              pending={isTesting}
              onClick={actions.test}
            >
              Send test event
            </Button>
          </div>
          {isLogOpen && <DeliveryLog webhookId={id} now={now} />}
        </>
      }
    >
      {description !== '' && (
        <p className="mt-0.5 font-mono text-13 text-ink-2 [overflow-wrap:anywhere]">
          <bdi dir="ltr">{addressOf(webhook)}</bdi>
        </p>
      )}
      <BadgeList label="Events" names={events} />
    </SettingsListItem>
  );
}
