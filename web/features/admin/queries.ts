import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import type {
  BlocklistResponse,
  ModerationAction,
  ReportsResponse,
} from '#contract/moderation/abuse.ts';
import type {
  AdminAction,
  AdminLogResponse,
  AdminStats,
  AdminUrlsResponse,
  AdminUsersResponse,
} from '#contract/moderation/admin.ts';
import type { AppLinksResponse } from '#contract/pages/app-links.ts';
import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import type { ReplayResponse, SystemReport, TestAlertResponse } from '#contract/system/system.ts';
import { api, RequestError } from '#web/shared/api/api.ts';
import { plural } from '#contract/language.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { isSuspension } from './moderation-scopes.ts';

/**
 * Returns the documented headers of an admin call. The server ignores them and trusts only the
 * token.
 */
function useAdminHeaders(): Record<string, string> {
  const session = useSession();
  return session.status === 'member' ? { 'x-user-email': session.email } : {};
}

function useAdminQuery<Answer>(key: QueryKey, path: string, refetchInterval?: number) {
  const headers = useAdminHeaders();
  return useQuery({
    queryKey: ['admin', ...key],
    queryFn: ({ signal }) => api<Answer>(path, { signal, headers }),
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
}

export const useStats = () => useAdminQuery<AdminStats>(['stats'], '/api/admin?action=stats');

const SYSTEM = '/api/admin/system';
/** Cron also runs once a minute. */
const LOOK_EVERY_MS = 60_000;

/** Returns the state of the installation and reloads it every minute while the page is visible. */
export const useSystem = () => useAdminQuery<SystemReport>(['system'], SYSTEM, LOOK_EVERY_MS);

export function useReplaySetAside() {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  return useMutation({
    mutationFn: () =>
      api<ReplayResponse>(SYSTEM, { method: 'POST', body: { action: 'replay' }, headers }),
    onSuccess: ({ windows, clicks, failed, left }) => {
      const done = `${plural(clicks, 'click')} counted`;
      if (failed > 0 && windows === 0)
        toast('The clicks were rejected again', { tone: 'bad', note: 'The list has the reason.' });
      else
        toast(
          done,
          left > 0 ? { note: `${plural(left, 'window')} left. Count again to continue.` } : {},
        );
    },
    onError: (error) => toastFailure(error, 'Failed to count the clicks'),
    onSettled: () => reloadQueries(queries, ['admin', 'system']),
  });
}

export function useSendTestAlert() {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  return useMutation({
    mutationFn: () => api<TestAlertResponse>(`${SYSTEM}/test-alert`, { method: 'POST', headers }),
    onError: (error) => toastFailure(error, 'Failed to send a test alert'),
    onSettled: () => reloadQueries(queries, ['admin', 'system']),
  });
}

type Params = Record<string, string>;

/** Loads a paginated list. `params` is its search and filters. */
function useCursorList<Page extends { nextCursor: string | null }>(
  key: string,
  path: string,
  params: Params,
) {
  const headers = useAdminHeaders();
  return useInfiniteQuery({
    queryKey: ['admin', key, params],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ ...params, cursor: pageParam });
      return api<Page>(`${path}?${query.toString()}`, { signal, headers });
    },
    getNextPageParam: (last) => last.nextCursor,
    // Keeps the previous rows, and the focus on one of them, while a search runs.
    placeholderData: (before) => before,
  });
}

const ADMIN = '/api/admin';
export const useUsers = (params: Params) =>
  useCursorList<AdminUsersResponse>('users', ADMIN, { action: 'users', ...params });
export const useUrls = (params: Params) =>
  useCursorList<AdminUrlsResponse>('urls', ADMIN, { action: 'urls', ...params });
export const useLog = (q: string) =>
  useCursorList<AdminLogResponse>('log', ADMIN, { action: 'log', q });
export const useReports = (params: Params) =>
  useCursorList<ReportsResponse>('reports', '/api/admin/reports', params);
export const useBlocklist = (q: string) =>
  useCursorList<BlocklistResponse>('blocklist', '/api/admin/blocklist', { q });

const APP_LINKS = '/api/admin/app-links';
/** The files of a domain of the operator, by its host; '' for the deployment's own short host. */
export const useAppLinks = (domain: string) =>
  useAdminQuery<AppLinksResponse>(
    ['app-links', domain],
    domain === '' ? APP_LINKS : `${APP_LINKS}?${new URLSearchParams({ domain }).toString()}`,
  );

export const useReport = (id: number) =>
  useAdminQuery<ReportEvidence>(['report', id], `/api/admin/reports/${id}`);

/**
 * The toasts of a change. `failed` shows when the server rejects it, `noResponse` without a
 * response, and `noLinks` is a note if no link changed.
 */
type Texts = { done: string; failed: string; noResponse: string; noLinks?: string };
const textsOf = (done: string, change: string, changing: string): Texts => ({
  done,
  failed: `Failed to ${change}`,
  noResponse: `Error ${changing}`,
});
type Change<T> = {
  path: string;
  method?: 'POST' | 'DELETE';
  body?: T;
  /** The change that takes this one back, which the toast then offers. */
  undo?: T | undefined;
};

/**
 * Sends an administrator's change, shows the result or the server's message in a toast, and reloads
 * every admin list. `onDone` runs before that.
 */
function useAdminMutation<T>(
  texts: (change: Change<T>) => Texts,
  onDone?: (change: Change<T>) => void,
) {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  const mutation = useMutation({
    mutationFn: (change: Change<T>) =>
      api<{ success: true; links?: number }>(change.path, {
        method: change.method ?? 'POST',
        headers,
        ...(change.body !== undefined && { body: change.body }),
      }),
    onSuccess: ({ links }, change) => {
      onDone?.(change);
      const { done, noLinks } = texts(change);
      const note =
        links === 0
          ? noLinks
          : links === undefined
            ? undefined
            : `${plural(links, 'link')} changed.`;
      const { path, undo } = change;
      toast(done, {
        ...(note !== undefined && { note }),
        ...(undo !== undefined && {
          action: { label: 'Undo', onSelect: () => mutation.mutate({ path, body: undo }) },
        }),
      });
    },
    onError: (error, change) => {
      const hasResponse = error instanceof RequestError && error.status !== 0;
      toast(hasResponse ? texts(change).failed : texts(change).noResponse, {
        tone: 'bad',
        ...(hasResponse && { note: error.message }),
      });
    },
    onSettled: () => reloadQueries(queries, ['admin']),
  });
  return mutation;
}

const ACTION_TEXTS: Record<AdminAction['action'], Texts> = {
  update_plan: textsOf('Plan updated successfully!', 'update plan', 'updating plan'),
  reset_usage: textsOf('Usage reset successfully!', 'reset usage', 'resetting usage'),
  renew_import: textsOf(
    'Import allowance renewed.',
    'renew the import allowance',
    'renewing the import allowance',
  ),
  set_role: textsOf('Role updated.', 'update role', 'updating role'),
  repair_counts: textsOf('Totals rebuilt.', 'rebuild totals', 'rebuilding totals'),
};

/** The actions of POST /api/admin. `running` is the latest one until it is done. */
export function useAdminAction() {
  const { reload } = useMe();
  const change = useAdminMutation<AdminAction>(
    ({ body }) => ACTION_TEXTS[body?.action ?? 'update_plan'],
    // Administrators who remove their own role leave the admin area at once.
    ({ body }) => {
      if (body?.action === 'set_role') reload();
    },
  );
  const running = change.isPending ? (change.variables.body ?? null) : null;
  const act = (body: AdminAction, undo?: AdminAction): void =>
    change.mutate({ path: ADMIN, body, undo });
  return { running, act };
}

export type UserAction = Extract<AdminAction, { user_id: string }>;

/**
 * Sends the same change for several users, one after another, through the route of a single one.
 * `onDone` gets the ids of the users that could not be changed.
 */
export function useAdminActions(onDone: (failed: string[]) => void) {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  const change = useMutation({
    mutationFn: async (actions: readonly UserAction[]) => {
      const failed: { id: string; reason: string }[] = [];
      for (const body of actions) {
        try {
          await api(ADMIN, { method: 'POST', headers, body });
        } catch (error) {
          failed.push({ id: body.user_id, reason: error instanceof Error ? error.message : '' });
        }
      }
      return failed;
    },
    onSuccess: (failed, actions) => {
      const changed = actions.length - failed.length;
      if (changed > 0) toast(`${plural(changed, 'user')} changed.`);
      if (failed.length > 0)
        toast(`${plural(failed.length, 'user')} not changed.`, {
          tone: 'bad',
          note: failed[0]?.reason ?? '',
        });
      onDone(failed.map(({ id }) => id));
    },
    onSettled: () => reloadQueries(queries, ['admin']),
  });
  return { run: change.mutate, pending: change.isPending };
}

const SUSPENSION_TEXTS: Record<ModerationAction['action'], Texts> = {
  disable: textsOf('User suspended.', 'suspend user', 'suspending user'),
  enable: textsOf('Suspension lifted.', 'lift suspension', 'lifting suspension'),
};

const LINK_TEXTS: Record<ModerationAction['action'], Texts> = {
  disable: textsOf('Links disabled.', 'disable links', 'disabling links'),
  enable: textsOf('Links restored.', 'restore links', 'restoring links'),
};

const domainTexts = (action: ModerationAction['action'], host: string): Texts =>
  action === 'disable'
    ? textsOf(`${host} suspended.`, 'suspend domain', 'suspending domain')
    : textsOf(`${host} restored.`, 'restore domain', 'restoring domain');

export function useModerate() {
  return useAdminMutation<ModerationAction>(({ body }) => {
    const action = body?.action ?? 'disable';
    const scope = body?.scope;
    if (scope !== undefined && isSuspension(scope)) return SUSPENSION_TEXTS[action];
    if (scope?.kind === 'domain') return domainTexts(action, scope.host);
    // This is not an error: another hold may apply to the same links.
    const noLinks = 'No links changed, because another hold still applies.';
    return { ...LINK_TEXTS[action], noLinks };
  });
}

export const useUpdateReport = () =>
  useAdminMutation<{ status: 'dismissed' | 'open'; destination: string }>(() =>
    textsOf('Report updated.', 'update report', 'updating report'),
  );

/**
 * Removes a host from the blocklist. The next scheduled run restores the links that it disabled.
 */
export const useRemoveBlockedHost = () =>
  useAdminMutation<never>(() =>
    textsOf('Host removed from the blocklist.', 'remove host', 'removing host'),
  );
