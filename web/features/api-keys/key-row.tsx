import { Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { SCOPE_TEXTS, type ApiKey } from '#contract/api-keys.ts';
import { formatAge, formatDate, formatDateTime } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Menu } from '#web/ui/menu.tsx';

export type KeyAction = 'rotate' | 'revoke';

export function ApiKeyRow({
  apiKey,
  now,
  onAction,
}: {
  apiKey: ApiKey;
  now: number;
  onAction: (action: KeyAction) => void;
}) {
  const {
    name,
    prefix,
    scopes,
    codePrefix,
    createdAt,
    expiresAt,
    lastUsedAt,
    previousSecretUntil,
  } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  const facts = [
    `Created ${formatDate(createdAt)}`,
    lastUsedAt === null ? 'Never used' : `Last used ${formatAge(lastUsedAt, now)}`,
    ...(expiresAt === null || isExpired ? [] : [`Expires ${formatDate(expiresAt)}`]),
    ...(previousSecretUntil === null
      ? []
      : [`Previous secret works until ${formatDateTime(previousSecretUntil)}`]),
  ];
  return (
    <li className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-14 font-medium [overflow-wrap:anywhere]">{name}</h2>
          <code className="font-mono text-13 text-ink-2">{prefix}…</code>
          {isExpired && <Badge tone="bad">Expired</Badge>}
        </div>
        <ul className="mt-2 flex flex-wrap gap-1.5" aria-label="Scopes">
          {scopes.map((scope) => (
            <li key={scope}>
              <Badge>{SCOPE_TEXTS[scope].name}</Badge>
            </li>
          ))}
          {codePrefix !== null && (
            <li>
              <Badge>
                Only{' '}
                <span dir="ltr" className="font-mono">
                  {codePrefix}…
                </span>
              </Badge>
            </li>
          )}
        </ul>
        <p className="mt-2 text-13 text-ink-3">{facts.join(' · ')}</p>
      </div>
      <Menu
        label={`Actions for ${name}`}
        items={[
          {
            label: 'Rotate',
            icon: <RefreshCw />,
            onSelect: () => onAction('rotate'),
          },
          {
            label: 'Revoke',
            icon: <Trash2 />,
            danger: true,
            onSelect: () => onAction('revoke'),
          },
        ]}
      >
        <Ellipsis className="size-4" />
      </Menu>
    </li>
  );
}
