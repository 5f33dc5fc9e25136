import { Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import type { Webhook } from '#contract/webhooks.ts';
import { formatAge, formatDate, formatDateTime, readableUrl } from '#web/shared/format.ts';
import { BadgeList, SettingsListItem } from '#web/shared/settings-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { DeliveryLog } from './delivery-log.tsx';

export type WebhookAction = 'log' | 'test' | 'edit' | 'rotate' | 'enable' | 'disable' | 'delete';

const DISABLED_BY: Readonly<Record<NonNullable<Webhook['disabled']>['by'], string>> = {
  owner: 'You disabled it',
  gone: 'Disabled: it answered 410 (Gone)',
  failing: 'Disabled: every request failed for five days',
};

export function WebhookRow({
  webhook,
  now,
  isLogOpen,
  isTesting,
  onAction,
}: {
  webhook: Webhook;
  now: number;
  isLogOpen: boolean;
  isTesting: boolean;
  onAction: (action: WebhookAction) => void;
}) {
  const { id, url, description, events, createdAt, disabled, failingSince, previousSecretUntil } =
    webhook;
  const name = description === '' ? readableUrl(url) : description;
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
            {
              label: 'Edit',
              icon: <Pencil />,
              onSelect: () => onAction('edit'),
            },
            {
              label: 'Rotate secret',
              icon: <KeyRound />,
              onSelect: () => onAction('rotate'),
            },
            disabled === null
              ? {
                  label: 'Disable',
                  icon: <Pause />,
                  onSelect: () => onAction('disable'),
                }
              : {
                  label: 'Enable',
                  icon: <Play />,
                  onSelect: () => onAction('enable'),
                },
            {
              label: 'Delete',
              icon: <Trash2 />,
              danger: true,
              onSelect: () => onAction('delete'),
            },
          ]}
        >
          <Ellipsis className="size-4" />
        </Menu>
      }
      below={
        <>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" aria-expanded={isLogOpen} onClick={() => onAction('log')}>
              {isLogOpen ? 'Hide deliveries' : 'Show deliveries'}
            </Button>
            <Button
              size="sm"
              disabled={disabled !== null}
              pending={isTesting}
              onClick={() => onAction('test')}
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
          <bdi dir="ltr">{readableUrl(url)}</bdi>
        </p>
      )}
      <BadgeList label="Events" names={events} />
    </SettingsListItem>
  );
}
