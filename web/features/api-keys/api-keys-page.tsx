import { Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { SCOPE_TEXTS } from '#contract/api/scopes.ts';
import type { ApiKey, CreatedApiKey } from '#contract/api/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { isLoopbackHost } from '#contract/api/oauth.ts';
import { formatAge, formatDate, formatDateTime } from '#web/shared/texts/format.ts';
import { rememberNewApiKey } from '#web/shared/secrets/new-api-key.ts';
import {
  BadgeList,
  SettingsList,
  SettingsListItem,
} from '#web/shared/link-settings/settings-list.tsx';
import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import {
  CreateKeyDialog,
  KeySecretDialog,
  RevokeDialog,
  RotateKeyDialog,
  useApiKeys,
} from './key-dialogs.tsx';

export function ApiKeysPage() {
  const query = useApiKeys();
  const [dialog, setDialog] = useState<ReactNode>(null);
  const keys = query.data?.keys;
  const count = keys?.length ?? 0;
  const close = (): void => setDialog(null);
  const showSecret = (key: CreatedApiKey): void => {
    rememberNewApiKey(key);
    setDialog(<KeySecretDialog apiKey={key} onClose={close} />);
  };
  const create = (): void => setDialog(<CreateKeyDialog onCreated={showSecret} onClose={close} />);
  const rotate = (key: ApiKey): void =>
    setDialog(<RotateKeyDialog apiKey={key} onRotated={showSecret} onClose={close} />);
  const revoke = (key: ApiKey): void => setDialog(<RevokeDialog apiKey={key} onClose={close} />);
  const isFull = count >= API_KEYS_MAX;
  const createButton = (
    <Button variant="primary" disabled={isFull} onClick={create}>
      Create key
    </Button>
  );
  return (
    <SettingsSubpage
      title="API keys"
      hint={
        isFull
          ? `You have ${API_KEYS_MAX} keys, the most an account can have. Revoke one to create another.`
          : 'For programs that use your account.'
      }
      action={count > 0 && createButton}
    >
      <SettingsList
        query={query}
        items={keys}
        noun="API keys"
        skeleton={{ rows: 2, bars: ['h-4 w-48', 'h-4 w-64 max-w-full', 'h-3 w-40'] }}
        empty={
          <EmptyState title="No API keys yet" action={createButton}>
            Create a key to shorten links from your own code, a phone shortcut or a browser
            extension.
          </EmptyState>
        }
      >
        {(key) => (
          <ApiKeyRow
            key={key.id}
            apiKey={key}
            now={query.dataUpdatedAt}
            onRotate={() => rotate(key)}
            onRevoke={() => revoke(key)}
          />
        )}
      </SettingsList>
      <p className="mt-3 text-13 text-ink-3">
        Keys keep working when you sign out or change your password. What they can do is in the{' '}
        <TextLink to="/docs/api">API documentation</TextLink>, and programs that use one are under{' '}
        <TextLink to="/tools">Tools</TextLink>.
      </p>
      {dialog}
    </SettingsSubpage>
  );
}

function ApiKeyRow({
  apiKey: { name, app, prefix, scopes, codePrefix, createdAt, expiresAt, lastUsedAt, ...apiKey },
  now,
  onRotate,
  onRevoke,
}: {
  apiKey: ApiKey;
  now: number;
  onRotate: () => void;
  onRevoke: () => void;
}) {
  const { previousSecretUntil } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return (
    <SettingsListItem
      name={name}
      badges={
        <>
          {app === null ? (
            <code className="font-mono text-13 text-ink-2">{prefix}…</code>
          ) : (
            <Badge>{isLoopbackHost(app) ? 'App on your device' : `App at ${app}`}</Badge>
          )}
          {isExpired && <Badge tone="bad">Expired</Badge>}
        </>
      }
      facts={[
        `Created ${formatDate(createdAt)}`,
        lastUsedAt === null ? 'Never used' : `Last used ${formatAge(lastUsedAt, now)}`,
        expiresAt !== null && !isExpired && `Expires ${formatDate(expiresAt)}`,
        previousSecretUntil && `Previous secret works until ${formatDateTime(previousSecretUntil)}`,
      ]}
      action={
        <Menu
          label={`Actions for ${name}`}
          items={[
            ...(app === null ? [{ label: 'Rotate', icon: <RefreshCw />, onSelect: onRotate }] : []),
            {
              label: app === null ? 'Revoke' : 'Disconnect',
              icon: <Trash2 />,
              danger: true,
              onSelect: onRevoke,
            },
          ]}
        >
          <Ellipsis className="size-4" />
        </Menu>
      }
    >
      <BadgeList label="Scopes" names={scopes.map((scope) => SCOPE_TEXTS[scope].name)}>
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
      </BadgeList>
    </SettingsListItem>
  );
}
