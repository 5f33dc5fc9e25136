import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { SCOPE_TEXTS } from '#contract/api/scopes.ts';
import {
  APP_LIFETIMES,
  APP_SCOPES,
  isLoopbackHost,
  PROPOSED_SCOPES,
  type AppRequest,
  type Granted,
} from '#contract/api/oauth.ts';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { api, RequestError } from '#web/shared/api/api.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CheckboxGroup, NONE_CHOSEN } from '#web/ui/checkbox.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const PATH = '/api/oauth/authorize';
const CHOICES = APP_SCOPES.map((value) => ({
  value,
  label: SCOPE_TEXTS[value].name,
  hint: SCOPE_TEXTS[value].detail,
}));
const LIFETIMES = APP_LIFETIMES.map(
  (days) => [days, days === 365 ? 'In a year' : `In ${days} days`] as const,
);

/** The page on which a member decides whether an app, such as an assistant, gets access. */
export function AuthorizePage() {
  const { search } = useLocation();
  const request = useQuery({
    queryKey: ['app-request', search],
    queryFn: ({ signal }) => api<AppRequest>(PATH + search, { signal }),
  });
  const { data, error } = request;
  const isRefused = error instanceof RequestError && error.status >= 400 && error.status < 500;
  return (
    <div className="w-full max-w-form">
      <PageHeading
        title={data === undefined ? PAGE_META['/oauth/authorize'].title : `Connect ${data.name}?`}
        documentTitle={PAGE_META['/oauth/authorize'].title}
      />
      {data !== undefined && <ConsentForm request={data} search={search} />}
      {data === undefined && isRefused && (
        <>
          <Notice tone="bad">
            <p>{error.message}</p>
            <p>Nothing was connected.</p>
          </Notice>
          <LinkButton to="/dashboard" className="mt-4">
            Open My URLs
          </LinkButton>
        </>
      )}
      {data === undefined && request.isError && !isRefused && (
        <Card>
          <FailedState title="We couldn’t load what the app asks for." query={request} />
        </Card>
      )}
      {request.isPending && (
        <Loading label="Loading what the app asks for…">
          <Skeleton className="h-80 w-full" />
        </Loading>
      )}
    </div>
  );
}

function ConsentForm({
  request: { name, host, cancelUrl },
  search,
}: {
  request: AppRequest;
  search: string;
}) {
  const session = useSession();
  const [scopes, setScopes] = useState(APP_SCOPES.filter((one) => PROPOSED_SCOPES.includes(one)));
  const [days, setDays] = useState<number>(APP_LIFETIMES[0]);
  const codeCheck = useCodeCheck();
  const connect = useAsyncAction(
    () =>
      codeCheck.run(() =>
        api<Granted>(PATH, {
          method: 'POST',
          body: { ...Object.fromEntries(new URLSearchParams(search)), scopes, days },
        }),
      ),
    ({ redirectTo }) => window.location.assign(redirectTo),
  );
  return (
    <Card className="space-y-5 p-5">
      <div className="space-y-2 text-14">
        <p>
          An app that calls itself “{name}” wants to use the account{' '}
          {session.status === 'member' && (
            <strong className="font-medium wrap-anywhere">{session.email}</strong>
          )}
          .
        </p>
        <p className="text-ink-2">
          {isLoopbackHost(host) ? (
            'It runs on this device, and your answer goes to it.'
          ) : (
            <>
              Your answer goes to{' '}
              <strong className="font-medium wrap-anywhere text-ink">{host}</strong>. Anyone can
              choose this name, so connect the app only if you know this site.
            </>
          )}
        </p>
      </div>
      <CheckboxGroup
        legend="What it may do"
        choices={CHOICES}
        chosen={scopes}
        error={scopes.length === 0 ? NONE_CHOSEN : undefined}
        onChange={setScopes}
      />
      <SelectField
        label="Access ends"
        choices={LIFETIMES}
        value={days}
        onSelect={(value) => setDays(Number(value))}
      />
      {codeCheck.dialog}
      {connect.error !== null && (
        <Notice tone="bad">
          <p>
            {connect.error instanceof Error
              ? connect.error.message
              : 'That did not work. Try again.'}
          </p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={scopes.length === 0}
          pending={connect.pending || connect.data !== null}
          onClick={() => connect.run(undefined)}
        >
          Connect app
        </Button>
        <a href={cancelUrl} className={buttonClass()}>
          Cancel
        </a>
      </div>
      <p className="text-13 text-ink-3">
        You can disconnect it in Settings → API keys at any time.
      </p>
    </Card>
  );
}
