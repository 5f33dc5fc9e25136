import { Ellipsis, KeyRound, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { SCOPE_TEXTS, type ApiKey, type CreatedApiKey } from '#contract/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { QueryCard } from '#web/ui/query-card.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import {
  CreateKeyDialog,
  KeySecretDialog,
  RevokeDialog,
  RotateKeyDialog,
  useApiKeys,
} from './key-dialogs.tsx';
import { formatAge, formatDate, formatDateTime } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Menu } from '#web/ui/menu.tsx';

type Open =
  | { kind: 'create' }
  | { kind: 'secret'; key: CreatedApiKey }
  | { kind: KeyAction; key: ApiKey }
  | null;

export function ApiKeysPage() {
  const query = useApiKeys();
  const [open, setOpen] = useState<Open>(null);
  const keys = query.data?.keys ?? [];
  const close = (): void => setOpen(null);
  const showSecret = (key: CreatedApiKey): void => setOpen({ kind: 'secret', key });
  const isFull = keys.length >= API_KEYS_MAX;
  const createButton = (
    <Button variant="primary" disabled={isFull} onClick={() => setOpen({ kind: 'create' })}>
      Create key
    </Button>
  );
  return (
    <div className="mx-auto w-full max-w-reading">
      <ParentLink to="/settings" label="Settings" />
      <PageHeading
        title="API keys"
        hint={
          isFull
            ? `You have ${API_KEYS_MAX} keys, the most an account can have. Revoke one to create another.`
            : 'For programs that use your account.'
        }
        action={keys.length > 0 && createButton}
      />
      <QueryCard
        query={query}
        failure="We couldn’t load your API keys."
        skeleton={
          <SkeletonRows
            label="Loading your API keys…"
            count={2}
            bars={['h-4 w-48', 'h-4 w-64 max-w-full', 'h-3 w-40']}
          />
        }
      >
        {() =>
          keys.length === 0 ? (
            <EmptyState icon={<KeyRound />} title="No API keys yet" action={createButton}>
              Create a key to shorten links from your own code, a phone shortcut or a browser
              extension.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {keys.map((key) => (
                <ApiKeyRow
                  key={key.id}
                  apiKey={key}
                  now={query.dataUpdatedAt}
                  onAction={(kind) => setOpen({ kind, key })}
                />
              ))}
            </ul>
          )
        }
      </QueryCard>
      <p className="mt-3 text-13 text-ink-3">
        Keys keep working when you sign out or change your password. What they can do is in the{' '}
        <TextLink to="/docs/api">API documentation</TextLink>.
      </p>
      {open?.kind === 'create' && <CreateKeyDialog onCreated={showSecret} onClose={close} />}
      {open?.kind === 'secret' && <KeySecretDialog apiKey={open.key} onClose={close} />}
      {open?.kind === 'rotate' && (
        <RotateKeyDialog apiKey={open.key} onRotated={showSecret} onClose={close} />
      )}
      {open?.kind === 'revoke' && <RevokeDialog apiKey={open.key} onClose={close} />}
    </div>
  );
}

type KeyAction = 'rotate' | 'revoke';

function ApiKeyRow({
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
