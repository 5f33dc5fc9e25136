import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from '#web/ui/link.tsx';
import type { ApiKey, CreatedApiKey } from '#contract/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { QueryCard } from '#web/ui/query-card.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeySecretDialog, RevokeDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { ApiKeyRow, type KeyAction } from './key-row.tsx';
import { useApiKeys } from './queries.ts';

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
        <Link to="/docs/api" className={textLinkClass}>
          API documentation
        </Link>
        .
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
