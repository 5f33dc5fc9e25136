import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { Session } from '#contract/account.ts';
import { countryName } from '#web/shared/country-name.ts';
import { formatAge, formatDate } from '#web/shared/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { QueryCard } from '#web/ui/query-card.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { keepsSessions, useEndSession, useSessions } from './session-queries.ts';

/** Lists the member's sessions and ends one, or all but the current one. */
export function SessionsPage() {
  const query = useSessions();
  const [confirming, setConfirming] = useState(false);
  const end = useEndSession((session) => {
    setConfirming(false);
    toast(
      session === null
        ? 'All other sessions are signed out.'
        : `Signed out ${deviceName(session)}.`,
    );
  });
  const endOne = (session: Session): void =>
    end.mutate(session, {
      onError: (failed) => toast('That did not work.', { tone: 'bad', note: failed.message }),
    });
  const sessions = query.data?.sessions ?? [];
  return (
    <div className="mx-auto w-full max-w-reading">
      <ParentLink to="/settings" label="Settings" />
      <PageHeading
        title="Sessions"
        hint="Where your account is signed in."
        action={
          sessions.length > 1 && (
            <VanishingButton onClick={() => setConfirming(true)}>
              Sign out all others…
            </VanishingButton>
          )
        }
      />
      {keepsSessions() ? (
        <QueryCard
          query={query}
          failure="We couldn’t load your sessions."
          skeleton={
            <SkeletonRows
              label="Loading your sessions…"
              count={2}
              bars={['h-4 w-48', 'h-3 w-64 max-w-full']}
            />
          }
        >
          {() => (
            <ul className="divide-y divide-line">
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  now={query.dataUpdatedAt}
                  isEnding={end.isPending && end.variables?.id === session.id}
                  onEnd={() => endOne(session)}
                />
              ))}
            </ul>
          )}
        </QueryCard>
      ) : (
        <Card>
          <EmptyState icon={<MonitorSmartphone />} title="Your sessions are not listed here">
            The sign-in service of this site keeps them. You can sign out everywhere in Settings.
          </EmptyState>
        </Card>
      )}
      {keepsSessions() && (
        <p className="mt-3 text-13 text-ink-3">
          If you don’t recognize a session, sign it out and change your password. Browser, system
          and country are those of the sign-in. The last use is up to an hour behind. API keys and
          webhooks keep working when a session ends.
        </p>
      )}
      <ConfirmDialog
        open={confirming}
        onClose={() => {
          end.reset();
          setConfirming(false);
        }}
        onConfirm={() => end.mutate(null)}
        pending={end.isPending}
        title="Sign out all other sessions?"
        action="Sign out all others"
        tone="primary"
        error={
          end.error !== null && end.variables === null
            ? 'We couldn’t sign them out. Check your connection and try again.'
            : ''
        }
      >
        You stay signed in here. Every other browser and device has to sign in again.
      </ConfirmDialog>
    </div>
  );
}

/**
 * Shows a session: the device, where it signed in, and when it was used. The current one has no
 * button, because Logout ends it.
 */
function SessionRow({
  session,
  now,
  isEnding,
  onEnd,
}: {
  session: Session;
  now: number;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { country, signedInAt, lastUsedAt, current } = session;
  const name = deviceName(session);
  const facts = [
    ...(country === null ? [] : [countryName(country)]),
    `Signed in ${formatDate(signedInAt)}`,
    ...(current ? [] : [`Last used ${formatAge(lastUsedAt, now)}`]),
  ];
  return (
    <li className="flex items-center gap-3 px-4 py-3.5 sm:px-5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-14 font-medium [overflow-wrap:anywhere]">{name}</h2>
          {current && <Badge tone="good">This session</Badge>}
        </div>
        <p className="mt-1 text-13 text-ink-3">{facts.join(' · ')}</p>
      </div>
      {!current && (
        <VanishingButton
          size="sm"
          pending={isEnding}
          aria-label={`Sign out ${name}`}
          onClick={onEnd}
        >
          Sign out
        </VanishingButton>
      )}
    </li>
  );
}

function deviceName({ browser, system }: Session): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
