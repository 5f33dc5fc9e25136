import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authErrorMessage, isCurrentPasswordError } from '#web/shared/sign-in/auth-api.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import {
  beginConnection,
  endConnection,
  loadConnection,
} from '#web/shared/sign-in/sso-connection.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CurrentPasswordField, proofBeforeForm, useProvenChange } from './identity-check.tsx';

const KEY = ['provider'];

/** Connects the account with the company's provider `name`, and disconnects it. */
export function ProviderPanel({ name, email }: { name: string; email: string }) {
  const query = useQuery({ queryKey: KEY, queryFn: loadConnection });
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: endConnection,
    onSuccess: () => {
      toast(`${name} is disconnected.`);
      void queries.invalidateQueries({ queryKey: KEY });
    },
  });
  const { data } = query;
  return (
    <Panel title={name} hint={`Sign in to this account with ${name}.`}>
      {query.isError && (
        <ErrorLine message="We couldn’t load whether your account is connected." query={query} />
      )}
      {query.isPending && (
        <Loading>
          <Skeleton className="h-5 w-64 max-w-full" />
        </Loading>
      )}
      {data?.identity === null && <ConnectForm name={name} email={email} />}
      {data !== undefined && data.identity !== null && (
        <div className="flex flex-col items-start gap-4">
          <p className="text-14 [overflow-wrap:anywhere]">
            Connected{data.identity.email !== '' && ` as ${data.identity.email}`} on{' '}
            {formatDate(data.identity.connected_at)}.
          </p>
          {end.error !== null && (
            <Notice tone="bad">
              <p>{authErrorMessage(end.error)}</p>
            </Notice>
          )}
          {data.can_disconnect ? (
            <Button pending={end.isPending} onClick={() => end.mutate()}>
              Disconnect {name}
            </Button>
          ) : (
            <p className="text-13 text-ink-3">
              It stays connected, because it is your way in or makes you an administrator.
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

function ConnectForm({ name, email }: { name: string; email: string }) {
  const {
    check,
    change: connect,
    codeDialog,
    missing,
  } = useProvenChange(
    (_: void, password) => beginConnection(password),
    () => undefined,
  );
  const required = useRequired({ current: missing });
  const message = authErrorMessage(connect.error);
  const isAboutCurrent = isCurrentPasswordError(connect.error);
  const proof = proofBeforeForm(check, email);
  if (proof !== null) return proof;
  return (
    <Form
      error={connect.error}
      className="flex max-w-form flex-col gap-4"
      onSubmit={() => {
        if (required.check()) connect.mutate();
      }}
    >
      {codeDialog}
      <CurrentPasswordField
        check={check}
        error={required.at('current') || (isAboutCurrent ? message : '')}
      />
      {message !== '' && !isAboutCurrent && (
        <Notice tone="bad">
          <p>{message}</p>
        </Notice>
      )}
      <div>
        <Button type="submit" pending={connect.isPending}>
          Connect {name}
        </Button>
      </div>
    </Form>
  );
}
