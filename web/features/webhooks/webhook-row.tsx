import { Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import type { Webhook } from '#contract/webhooks.ts';
import { formatAge, formatDate, formatDateTime, readableUrl } from '#web/shared/format.ts';
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
  const facts = [
    `Added ${formatDate(createdAt)}`,
    ...(disabled === null ? [] : [`${DISABLED_BY[disabled.by]} ${formatAge(disabled.at, now)}`]),
    ...(disabled !== null || failingSince === null
      ? []
      : [`Failing since ${formatDateTime(failingSince)}`]),
    ...(previousSecretUntil === null
      ? []
      : [`Also signed with the previous secret until ${formatDateTime(previousSecretUntil)}`]),
  ];
  const name = description === '' ? readableUrl(url) : description;
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-14 font-medium [overflow-wrap:anywhere]">{name}</h2>
            {disabled !== null && <Badge tone="bad">Disabled</Badge>}
            {disabled === null && failingSince !== null && <Badge tone="warn">Failing</Badge>}
          </div>
          {description !== '' && (
            <p className="mt-0.5 font-mono text-13 text-ink-2 [overflow-wrap:anywhere]">
              <bdi dir="ltr">{readableUrl(url)}</bdi>
            </p>
          )}
          <ul className="mt-2 flex flex-wrap gap-1.5" aria-label="Events">
            {events.map((event) => (
              <li key={event}>
                <Badge>{event}</Badge>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-13 text-ink-3">{facts.join(' · ')}</p>
        </div>
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
      </div>
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
    </li>
  );
}
