import { useSearchParams } from 'react-router-dom';
import { ENDED_ARC } from '#contract/pages/arcs.ts';
import { PasskeyProof } from '#web/shared/sign-in/passkey-proof.tsx';
import { RoleError } from '#web/shared/api/role-error.tsx';
import { useSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { AppLinksTab } from './app-links-tab.tsx';
import { BlocklistTab } from './blocklist-tab.tsx';
import { LogTab } from './log-tab.tsx';
import { ReportsTab } from './reports-tab.tsx';
import { StatsTab } from './stats-tab.tsx';
import { SystemTab } from './system-tab.tsx';
import { UrlsTab } from './urls-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const TABS = [
  { value: 'stats', label: 'Statistics', screen: StatsTab },
  { value: 'users', label: 'Users & Subscriptions', screen: UsersTab },
  { value: 'urls', label: 'URLs', screen: UrlsTab },
  { value: 'reports', label: 'Reports', screen: ReportsTab },
  { value: 'blocklist', label: 'Blocklist', screen: BlocklistTab },
  { value: 'app-links', label: 'App links', screen: AppLinksTab },
  { value: 'log', label: 'Audit log', screen: LogTab },
  { value: 'system', label: 'System', screen: SystemTab },
] as const;

/**
 * The admin dashboard. Anyone can open the page; its content depends on the user's role. See
 * docs/decisions.md#d4.
 */
export function AdminPage() {
  return (
    <div>
      <PageHeading title="Admin dashboard" />
      <AdminContent />
    </div>
  );
}

function AdminContent() {
  const session = useSession();
  const query = useMe();
  const { me, isAdmin, failed } = query;
  if (session.status === 'visitor')
    return (
      <EmptyState
        title="Sign in to continue"
        action={
          <LinkButton to="/auth?next=/admin" variant="primary">
            Sign In
          </LinkButton>
        }
      >
        Only administrators of this site can open the admin area.
      </EmptyState>
    );
  if (me === null && failed) return <RoleError me={query} />;
  if (me === null)
    return (
      <Loading>
        <Skeleton className="h-24 w-full rounded-lg" />
        <Skeleton className="mt-4 h-64 w-full rounded-lg" />
      </Loading>
    );
  if (!isAdmin)
    return (
      <EmptyState
        arc={ENDED_ARC}
        title="You don’t have access to this page"
        action={<LinkButton to="/dashboard">Go to My URLs</LinkButton>}
      >
        You are signed in as {me.email}, which is not an administrator account.
      </EmptyState>
    );
  if (me.needsSecondFactor)
    return (
      <EmptyState
        title="This page needs a second factor"
        action={
          <div className="space-y-3">
            <LinkButton to="/settings" variant="primary">
              Open Settings
            </LinkButton>
            <PasskeyProof label="Use a passkey" onUsed={query.reload} />
          </div>
        }
      >
        Use a passkey, or set up an authenticator app in Settings.
      </EmptyState>
    );
  return <AdminTabs />;
}

function AdminTabs() {
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find(({ value }) => value === query.get('tab')) ?? TABS[0];
  return (
    <Tabs
      label="Admin areas"
      tabs={TABS}
      value={tab.value}
      onChange={(value) => setQuery(value === 'stats' ? {} : { tab: value }, { replace: true })}
    >
      <tab.screen />
    </Tabs>
  );
}
