import { useState } from 'react';
import type { Session } from '#contract/account/account.ts';
import { config } from '#web/shared/page/config.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { formatAge, formatDate } from '#web/shared/texts/format.ts';
import { SettingsList, SettingsListItem } from '#web/shared/link-settings/settings-list.tsx';
import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { SignOutEverywhere } from '#web/shared/sign-in/sign-out-everywhere.tsx';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { keepsSessions, useEndSession, useSessions } from './session-queries.ts';

/** Lists the member's sessions and ends one, or all but the current one. */
export function SessionsPage() {
  const query = useSessions();
  const [confirming, setConfirming] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const end = useEndSession((session) => {
    setConfirming(false);
    toast(
      session === null
        ? 'All other sessions are signed out.'
        : `Signed out ${deviceName(session)}.`,
    );
  });
  const sessions = query.data?.sessions;
  return (
    <SettingsSubpage
      title="Sessions"
      hint="Where your account is signed in."
      action={
        <div className="flex flex-wrap gap-2">
          {sessions !== undefined && sessions.length > 1 && (
            <VanishingButton onClick={() => setConfirming(true)}>
              Sign out all others…
            </VanishingButton>
          )}
          <Button onClick={() => setLeaving(true)}>Sign out everywhere…</Button>
        </div>
      }
    >
      {keepsSessions() ? (
        <SettingsList
          query={query}
          items={sessions}
          noun="sessions"
          skeleton={{ rows: 2, bars: ['h-4 w-48', 'h-3 w-64 max-w-full'] }}
        >
          {(session) => (
            <SessionRow
              key={session.id}
              session={session}
              now={query.dataUpdatedAt}
              isEnding={end.isPending && end.variables?.id === session.id}
              onEnd={() => end.mutate(session, { onError: (error) => toastFailure(error) })}
            />
          )}
        </SettingsList>
      ) : (
        <Card>
          <EmptyState title="Your sessions are not listed here">
            The sign-in service of this site keeps them. You can sign out everywhere.
          </EmptyState>
        </Card>
      )}
      {keepsSessions() && (
        <p className="mt-3 text-13 text-ink-3">
          If you don’t recognize a session, sign it out
          {config.auth.passwords && ' and change your password'}. Browser, system and country are
          those of the sign-in. The last use is up to an hour behind. API keys and webhooks keep
          working when a session ends.
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
      <SignOutEverywhere open={leaving} onClose={() => setLeaving(false)} />
    </SettingsSubpage>
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
  return (
    <SettingsListItem
      name={name}
      badges={current && <Badge tone="good">This session</Badge>}
      facts={[
        country && countryName(country),
        `Signed in ${formatDate(signedInAt)}${describeBeginning(session)}`,
        !current && `Last used ${formatAge(lastUsedAt, now)}`,
      ]}
      action={
        !current && (
          <VanishingButton
            size="sm"
            pending={isEnding}
            aria-label={`Sign out ${name}`}
            onClick={onEnd}
          >
            Sign out
          </VanishingButton>
        )
      }
    />
  );
}

/** ' with a password', or '' if it is unknown how the session began. */
function describeBeginning({ began }: Session): string {
  if (began === null) return '';
  const { sso } = config.auth;
  const names = {
    password: 'a password',
    mail: 'an email',
    sso: sso?.name ?? 'a company account',
    passkey: 'a passkey',
  };
  return ` with ${names[began]}`;
}

function deviceName({ browser, system }: Session): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
