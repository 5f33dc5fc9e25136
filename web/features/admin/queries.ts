import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BlocklistResponse, ModerationAction, ReportsResponse } from '#contract/abuse.ts';
import type { AdminAction, AdminLogResponse, AdminStats, AdminUrlsResponse, AdminUsersResponse } from '#contract/admin.ts';
import { api, ApiError } from '#web/shared/api.ts';
import { plural } from '#web/shared/format.ts';
import { useSession } from '#web/shared/session.ts';
import { toast } from '#web/ui/announcer.ts';
import { isSuspension } from './moderation-scopes.ts';

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

/** `noLinks`: what is said below `done` where no link changed. */
type Texts = { done: string; refused: string; unreachable: string; noLinks?: string };
type Change<T> = { path: string; method?: 'POST' | 'DELETE'; body?: T };

/**
 * One write of an admin. Says `done`, or `refused` with the server's sentence below it, or `unreachable` where the network failed;
 * then every admin list reads itself anew.
 */
function useAdminMutation<T>(texts: (change: Change<T>) => Texts) {
  const queries = useQueryClient();
  const headers = useAdminHeaders();
  return useMutation({
    mutationFn: (change: Change<T>) =>
      api<{ success: true; links?: number }>(change.path, {
        method: change.method ?? 'POST',
        headers,
        ...(change.body !== undefined && { body: change.body }),
      }),
    onSuccess: ({ links }, change) => {
      const { done, noLinks } = texts(change);
      const note = links === 0 ? noLinks : links === undefined ? undefined : `${plural(links, 'link')} changed.`;
      toast(done, note === undefined ? {} : { note });
    },
    onError: (error, change) => {
      const answered = error instanceof ApiError && error.status !== 0;
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
  const change = useAdminMutation<AdminAction>(({ body }) => ACTION_TEXTS[body?.action ?? 'update_plan']);
  return { ...change, act: (body: AdminAction) => change.mutate({ path: '/api/admin', body }) };
}

const SUSPENSION_TEXTS: Record<ModerationAction['action'], Texts> = {
  disable: {
    done: 'User suspended.',
    refused: 'Failed to suspend the user',
    unreachable: 'Could not reach the server to suspend the user',
  },
  enable: {
    done: 'Suspension lifted.',
    refused: 'Failed to lift the suspension',
    unreachable: 'Could not reach the server to lift the suspension',
  },
};

/** Disables or restores a link or a host's links; suspends a user or lifts that. */
export function useModerate() {
  return useAdminMutation<ModerationAction>(({ body }) => {
    if (body !== undefined && isSuspension(body.scope)) return SUSPENSION_TEXTS[body.action];
    const verb = body?.action === 'enable' ? 'restore' : 'disable';
    return {
      done: `Done: ${verb}d.`,
      refused: `Failed to ${verb}`,
      unreachable: `Could not reach the server to ${verb}`,
      // No failure: the links may be held for another reason as well.
      noLinks: 'No link changed: another reason still holds.',
    };
  });
}

/** Closes or opens a report again. */
export const useUpdateReport = () =>
  useAdminMutation<{ status: 'dismissed' | 'open' }>(() => ({
    done: 'Report updated.',
    refused: 'Failed to update the report',
    unreachable: 'Error updating the report',
  }));

/** Takes a host off the blocklist; links it had disabled come back with the next cron run. */
export const useRemoveBlockedHost = () =>
  useAdminMutation<never>(() => ({
    done: 'Host removed from the blocklist.',
    refused: 'Failed to remove the host',
    unreachable: 'Error removing the host',
  }));
