import { Lock } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useMe } from '#web/shared/use-me.ts';
import { useSession } from '#web/shared/session.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { BlocklistTab } from './blocklist-tab.tsx';
import { LogTab } from './log-tab.tsx';
import { ReportsTab } from './reports-tab.tsx';
import { StatsTab } from './stats-tab.tsx';
import { UrlsTab } from './urls-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const TABS = [
  { value: 'stats', label: 'Statistics', screen: StatsTab },
  { value: 'users', label: 'Users & Subscriptions', screen: UsersTab },
  { value: 'urls', label: 'URLs', screen: UrlsTab },
  { value: 'reports', label: 'Reports', screen: ReportsTab },
  { value: 'blocklist', label: 'Blocklist', screen: BlocklistTab },
  { value: 'log', label: 'Log', screen: LogTab },
] as const;

/** /admin. The page opens for everyone (decision 4); what it shows depends on who the server says is asking. */
export function AdminPage() {
  return (
    <div>
      <PageHeading title="Admin Dashboard" />
      <Gate />
    </div>
  );
}

function Gate() {
  const session = useSession();
  const me = useMe();
  if (session.status === 'visitor')
    return (
      <EmptyState
        icon={<Lock aria-hidden="true" />}
        title="Sign in to continue"
        action={
          <LinkButton to="/auth?next=/admin" variant="primary">
            Sign In
          </LinkButton>
        }
      >
        The admin area is for administrators of this site.
      </EmptyState>
    );
  if (me.data === undefined && me.isError)
    return (
      <ErrorLine
        message="We could not find out whether you are an administrator."
        onRetry={() => void me.refetch()}
        retrying={me.isFetching}
      />
    );
  if (me.data === undefined)
    return (
      <Loading>
        <Skeleton className="h-24 w-full rounded-lg" />
        <Skeleton className="mt-4 h-64 w-full rounded-lg" />
      </Loading>
    );
  if (me.data.role !== 'admin')
    return (
      <EmptyState
        icon={<Lock aria-hidden="true" />}
        title="This page is not for you"
        action={<LinkButton to="/dashboard">Go to My URLs</LinkButton>}
      >
        You are signed in as {me.data.email}, which is not an administrator of this site.
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
