import { Lock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ENDED_ARC } from '#contract/pages/arcs.ts';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { RequestError, errorField } from '#web/shared/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Form } from '#web/ui/form.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useSharedReport } from './queries.ts';
import { OpenReport } from './open-report.tsx';

const { title: TITLE } = PAGE_META['/share'];

/** The page of a shared report. Its secret is the fragment of the address. */
export function SharedReportPage() {
  const secret = useSecret();
  const [password, setPassword] = useState<string | null>(null);
  const query = useSharedReport(secret, password);
  if (query.data !== undefined) return <OpenReport view={query.data} />;
  if (secret === '' || isNotFound(query.error)) return <NotShared />;
  // Every answer about the password, also that there were too many wrong ones, names this field.
  if (password !== null || errorField(query.error) === 'password')
    return (
      <PasswordForm
        pending={query.isFetching}
        error={password === null ? null : query.error}
        onSubmit={(text) => (text === password ? void query.refetch() : setPassword(text))}
      />
    );
  return (
    <div>
      <PageHeading title={TITLE} />
      {query.isError ? (
        <Card>
          <FailedState title="The report could not be loaded" query={query} />
        </Card>
      ) : (
        <Loading label="Loading the report…">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="mt-4 h-64 w-full" />
        </Loading>
      )}
    </div>
  );
}

const isNotFound = (error: Error | null): boolean =>
  error instanceof RequestError && error.status === 404;

const SECRET = /^[\w-]{43}$/;

/**
 * Returns the secret in the address. “Skip to content” replaces the fragment, so the secret is kept
 * and restored, and a reload works.
 */
function useSecret(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const given = hash.slice(1);
  const [secret, setSecret] = useState(given);
  if (given !== secret && SECRET.test(given)) setSecret(given);
  const isReplaced = SECRET.test(secret) && !SECRET.test(given);
  useEffect(() => {
    if (isReplaced) void navigate({ pathname, hash: secret }, { replace: true });
  }, [isReplaced, navigate, pathname, secret]);
  return secret;
}

const NotShared = () => (
  <div>
    <PageHeading title={TITLE} />
    <Card>
      <EmptyState arc={ENDED_ARC} title="This report is not shared">
        Its owner may have stopped sharing it, it may have ended, or the address is incomplete. Ask
        the person who sent it to you.
      </EmptyState>
    </Card>
  </div>
);

function PasswordForm({
  pending,
  error,
  onSubmit,
}: {
  pending: boolean;
  error: Error | null;
  onSubmit: (password: string) => void;
}) {
  const [password, setPassword] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  return (
    <div className="mx-auto w-full max-w-form pt-6 sm:pt-12">
      <PageHeading
        title={TITLE}
        hint="This report has a password. The person who sent you the address knows it."
      />
      <Form
        error={error}
        className="space-y-4"
        onSubmit={() => {
          setIsEmpty(password === '');
          if (password !== '') onSubmit(password);
        }}
      >
        <PasswordField
          label="Password"
          error={isEmpty ? 'Enter the password.' : error?.message}
          value={password}
          autoComplete="off"
          onText={setPassword}
        />
        <Button type="submit" variant="primary" pending={pending}>
          <Lock className="size-4" />
          Open report
        </Button>
      </Form>
    </div>
  );
}
