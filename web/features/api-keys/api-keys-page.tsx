import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from '#web/ui/link.tsx';
import type { ApiKey, CreatedApiKey } from '#contract/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RevokeDialog, RotateDialog, SecretDialog } from './key-dialogs.tsx';
import { KeyRow, type KeyAction } from './key-row.tsx';
import { useApiKeys } from './queries.ts';

type Open =
  | { kind: 'create' }
  | { kind: 'secret'; key: CreatedApiKey }
  | { kind: KeyAction; key: ApiKey }
  | null;

/** The member's API keys: list, create, rotate, revoke. */
export function ApiKeysPage() {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useApiKeys();
  const [open, setOpen] = useState<Open>(null);
  const keys = data?.keys ?? [];
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
      {error !== null && data !== undefined && (
        <div className="mb-4">
          <ErrorLine
            message="We couldn’t load your API keys."
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      )}
      <Card>
        {data === undefined && error === null ? (
          <KeysSkeleton />
        ) : data === undefined ? (
          <FailedState
            title="We couldn’t load your API keys."
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : keys.length === 0 ? (
          <EmptyState icon={<KeyRound />} title="No API keys yet" action={createButton}>
            Create a key to shorten links from your own code, a phone shortcut or a browser
            extension.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                now={dataUpdatedAt}
                onAction={(kind) => setOpen({ kind, key })}
              />
            ))}
          </ul>
        )}
      </Card>
      <p className="mt-3 text-13 text-ink-3">
        Keys keep working when you sign out or change your password. What they can do is in the{' '}
        <Link to="/docs/api" className={textLinkClass}>
          API documentation
        </Link>
        .
      </p>
      {open?.kind === 'create' && <CreateKeyDialog onCreated={showSecret} onClose={close} />}
      {open?.kind === 'secret' && <SecretDialog apiKey={open.key} onClose={close} />}
      {open?.kind === 'rotate' && (
        <RotateDialog apiKey={open.key} onRotated={showSecret} onClose={close} />
      )}
      {open?.kind === 'revoke' && <RevokeDialog apiKey={open.key} onClose={close} />}
    </div>
  );
}

function KeysSkeleton() {
  return (
    <Loading label="Loading your API keys…">
      <div className="divide-y divide-line">
        {[0, 1].map((row) => (
          <div key={row} className="space-y-2.5 px-4 py-4 sm:px-5">
            <Skeleton className="h-4 w-48" />
            <Skeleton className="h-4 w-64 max-w-full" />
            <Skeleton className="h-3 w-40" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
