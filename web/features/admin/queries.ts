import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BlocklistResponse, ModerationAction, ReportsResponse } from '#contract/abuse.ts';
import type { AdminAction, AdminLogResponse, AdminStats, AdminUrlsResponse, AdminUsersResponse } from '#contract/admin.ts';
import { api, ApiFailure } from '#web/shared/api.ts';
import { plural } from '#web/shared/format.ts';
import { useSession } from '#web/shared/session.ts';
import { toast } from '#web/ui/announcer.ts';

/** The spec's headers of an admin call; the server trusts the token alone. */
function useAdminHeaders(): Record<string, string> {
  const session = useSession();
  return session.status === 'member' ? { 'x-user-email': session.email } : {};
}

export function useStats() {
  const headers = useAdminHeaders();
  return useQuery({
    queryKey: ['admin', 'stats'],
    queryFn: ({ signal }) => api<AdminStats>('/api/admin?action=stats', { signal, headers }),
  });
}

/** A list that grows page by page: `path` gets `q` and `cursor` added. */
function useCursorList<Page extends { next_cursor: string | null }>(key: string, path: string, q: string) {
  const headers = useAdminHeaders();
  return useInfiniteQuery({
    queryKey: ['admin', key, path, q],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ q, cursor: pageParam });
      return api<Page>(`${path}${path.includes('?') ? '&' : '?'}${query.toString()}`, { signal, headers });
    },
    getNextPageParam: (last) => last.next_cursor,
    // While a search runs, the rows before it stay, and with them the focus on one of them. Another path is another list.
    placeholderData: (before, query) => (query?.queryKey[2] === path ? before : undefined),
  });
}

export const useUsers = (q: string) => useCursorList<AdminUsersResponse>('users', '/api/admin?action=users', q);
export const useUrls = (q: string) => useCursorList<AdminUrlsResponse>('urls', '/api/admin?action=urls', q);
export const useLog = (q: string) => useCursorList<AdminLogResponse>('log', '/api/admin?action=log', q);
export const useReports = (status: string) =>
  useCursorList<ReportsResponse>('reports', `/api/admin/reports?status=${status}`, '');
export const useBlocklist = (q: string) => useCursorList<BlocklistResponse>('blocklist', '/api/admin/blocklist', q);

type Texts = { done: string; refused: string; unreachable: string };
type Change<T> = { path: string; method?: 'POST' | 'DELETE'; body?: T };

/**
 * One write of an admin. Says `done`, or `refused` with the server's sentence below it, or `unreachable` where the network failed;
 * then every admin list reads itself anew.
 */
function useAdminChange<T>(texts: (change: Change<T>) => Texts) {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  return useMutation({
    mutationFn: (change: Change<T>) =>
      api<{ success: true; links?: number }>(change.path, {
        method: change.method ?? 'POST',
        headers,
        ...(change.body !== undefined && { body: change.body }),
      }),
    onSuccess: ({ links }, change) => toast(texts(change).done, links === undefined ? {} : { note: linksNote(links) }),
    onError: (error, change) => {
      const answered = error instanceof ApiFailure && error.status !== 0;
      toast(answered ? texts(change).refused : texts(change).unreachable, {
        tone: 'bad',
        ...(answered && { note: error.message }),
      });
    },
    onSettled: async () => {
      // A list that is being read for the first time would keep what it read before the change: that reading is given up.
      await queries.cancelQueries({ queryKey: ['admin'] });
      await queries.invalidateQueries({ queryKey: ['admin'] });
    },
  });
}

/** 0 is no failure: the links may be held for another reason as well. */
const linksNote = (links: number): string =>
  links === 0 ? 'No link changed: another reason still holds.' : `${plural(links, 'link')} changed.`;

const ACTION_TEXTS: Record<AdminAction['action'], Texts> = {
  update_plan: { done: 'Plan updated successfully!', refused: 'Failed to update plan', unreachable: 'Error updating plan' },
  reset_usage: { done: 'Usage reset successfully!', refused: 'Failed to reset usage', unreachable: 'Error resetting usage' },
  set_role: { done: 'Role changed.', refused: 'Failed to change the role', unreachable: 'Error changing the role' },
  repair_counts: {
    done: 'Totals rebuilt from their roll-ups.',
    refused: 'Failed to repair counts',
    unreachable: 'Error repairing counts',
  },
};

/** POST /api/admin with the spec's texts (§8). */
export function useAdminAction() {
  const change = useAdminChange<AdminAction>(({ body }) => ACTION_TEXTS[body?.action ?? 'update_plan']);
  return { ...change, act: (body: AdminAction) => change.mutate({ path: '/api/admin', body }) };
}

/** Disables or restores a link, a host's links or a user's links. */
export function useModeration() {
  return useAdminChange<ModerationAction>(({ body }) => {
    const verb = body?.action === 'enable' ? 'restore' : 'disable';
    return { done: `Done: ${verb}d.`, refused: `Failed to ${verb}`, unreachable: `Could not reach the server to ${verb}` };
  });
}

/** Closes or opens a report again. */
export const useReportDecision = () =>
  useAdminChange<{ status: 'dismissed' | 'open' }>(() => ({
    done: 'Report updated.',
    refused: 'Failed to update the report',
    unreachable: 'Error updating the report',
  }));

/** Takes a host off the blocklist; links it had disabled come back with the next cron run. */
export const useUnblock = () =>
  useAdminChange<never>(() => ({
    done: 'Host removed from the blocklist.',
    refused: 'Failed to remove the host',
    unreachable: 'Error removing the host',
  }));
