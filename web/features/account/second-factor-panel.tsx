import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FactorStatus } from '#contract/sign-in/second-factor.ts';
import { plural } from '#contract/language.ts';
import { config } from '#web/shared/page/config.ts';
import { formatDate, formatDateTime } from '#web/shared/texts/format.ts';
import { createRecoveryCodes, loadFactor, removeApp } from '#web/shared/sign-in/second-factor.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SetUpAppDialog } from './set-up-app-dialog.tsx';

const KEY = ['second-factor'];
const HINT =
  'After your password, signing in asks for a code from an app on your phone. Nobody else can sign in with your password alone.';
const HINT_WITHOUT_PASSWORDS =
  'Signing in no longer asks for a code from your app. New API keys, the export and the deletion of your account still do.';
/** Below this many, the panel asks for new ones. */
const FEW_CODES = 3;

/**
 * Sets up and turns off the second factor: an authenticator app, with recovery codes. On a site
 * without passwords, only an app from before is shown.
 */
export function SecondFactorPanel({ email }: { email: string }) {
  const query = useQuery({ queryKey: KEY, queryFn: loadFactor });
  const queries = useQueryClient();
  const [isSettingUp, setSettingUp] = useState(false);
  const { data } = query;
  const { passwords } = config.auth;
  const close = (): void => {
    setSettingUp(false);
    void queries.invalidateQueries({ queryKey: KEY });
  };
  if (!passwords && !data?.factor) return null;
  return (
    <Panel title="Second factor" hint={passwords ? HINT : HINT_WITHOUT_PASSWORDS}>
      {query.isError && (
        <ErrorLine message="We couldn’t load whether your account has one." query={query} />
      )}
      {query.isPending && (
        <Loading>
          <Skeleton className="h-9 w-64 max-w-full" />
        </Loading>
      )}
      {data !== undefined && data.reset_at !== null && (
        <div className="mb-4">
          <Notice tone="warn">
            <p>
              Somebody asked to turn it off. After {formatDateTime(data.reset_at)} we email the link
              for that. If it was not you, stop it with the link in our first email.
            </p>
          </Notice>
        </div>
      )}
      {data?.factor === null && (
        <Button onClick={() => setSettingUp(true)}>Set up an authenticator app…</Button>
      )}
      {data !== undefined && data.factor !== null && (
        <ActiveFactor factor={data.factor} email={email} onChange={close} />
      )}
      {isSettingUp && <SetUpAppDialog email={email} onClose={close} />}
    </Panel>
  );
}

function ActiveFactor({
  factor: { id, since, recovery_codes: left },
  email,
  onChange,
}: {
  factor: NonNullable<FactorStatus['factor']>;
  email: string;
  onChange: () => void;
}) {
  const [asking, setAsking] = useState<'codes' | 'off' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = (): void => setAsking(null);
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-14">
        Your authenticator app has been on since {formatDate(since)}.{' '}
        {plural(left, 'recovery code')} left.
      </p>
      {config.auth.passwords && left < FEW_CODES && (
        <p className="text-13 text-ink-2">
          Create new recovery codes now. Without the app and without a code, you wait 24 hours
          before you can sign in.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking('codes')}>Create recovery codes…</Button>
        <Button onClick={() => setAsking('off')}>Turn off…</Button>
      </div>
      {asking === 'codes' && (
        <ProofDialog
          title="Create new recovery codes?"
          action="Create codes"
          email={email}
          send={createRecoveryCodes}
          onDone={(created) => {
            close();
            setCodes(created);
          }}
          onClose={close}
        >
          The codes that you have now stop working.
        </ProofDialog>
      )}
      {asking === 'off' && (
        <ProofDialog
          title="Turn off your authenticator app?"
          action="Turn off"
          tone="danger"
          email={email}
          send={(password) => removeApp(id, password)}
          onDone={() => {
            toast('Your authenticator app is turned off.');
            close();
            onChange();
          }}
          onClose={close}
        >
          {config.auth.passwords && 'Signing in then needs your password alone. '}
          Your recovery codes stop working.
        </ProofDialog>
      )}
      {codes !== null && (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes(null);
            onChange();
          }}
        />
      )}
    </div>
  );
}
