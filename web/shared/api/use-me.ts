import { useEffect } from 'react';
import type { Me } from '#contract/account/account.ts';
import type { PlanType } from '#contract/site.ts';
import { api } from './api.ts';
import { createStore } from '#web/ui/create-store.ts';
import { currentSession, useSession } from '#web/shared/session/session.ts';

type State = { userId: string; me: Me | null; failed: boolean; loading: boolean };

const store = createStore<State>({ userId: '', me: null, failed: false, loading: false });

/** Loads the user's entry. Concurrent calls for the same user share one request. */
async function load(userId: string): Promise<void> {
  const before = store.get();
  const isKnown = before.userId === userId;
  if (before.loading && isKnown) return;
  store.set({ userId, me: isKnown ? before.me : null, failed: false, loading: true });
  const me = await api<Me>('/api/me').catch(() => null);
  const now = store.get();
  if (now.userId === userId)
    store.set({ userId, me: me ?? now.me, failed: me === null, loading: false });
}

export type MeQuery = {
  /** Null for a visitor, and until the first response. */
  me: Me | null;
  isAdmin: boolean;
  failed: boolean;
  loading: boolean;
  reload: () => void;
};

/**
 * Returns the signed-in user with the role, which the server reads from its database on each
 * request. Loads when a component mounts, and all components share the result. It does without the
 * query cache, because the header of every page uses it.
 */
export function useMe(): MeQuery {
  const session = useSession();
  const userId = session.status === 'member' ? session.id : '';
  const current = store.use();
  useEffect(() => {
    if (userId !== '') void load(userId);
  }, [userId]);
  const isOwn = userId !== '' && current.userId === userId;
  const me = isOwn ? current.me : null;
  return {
    me,
    isAdmin: me?.role === 'admin',
    failed: isOwn && current.failed,
    loading: isOwn ? current.loading : userId !== '',
    reload: () => void load(userId),
  };
}

/**
 * Returns the member's plan; null for a visitor, and until it has loaded. It sends no request,
 * because the header of every page does.
 */
export function useOwnPlan(): PlanType | null {
  const session = useSession();
  const { me, userId } = store.use();
  return session.status === 'member' && session.id === userId ? (me?.plan ?? null) : null;
}

/** Loads the member's entry, so that a page renders complete. */
export async function prefetchMe(): Promise<void> {
  const session = currentSession();
  if (session.status === 'member') await load(session.id);
}

export function reloadMe(): void {
  const { userId } = store.get();
  if (userId !== '') void load(userId);
}

export function noteOwnPlan(userId: string, plan: PlanType): void {
  const state = store.get();
  const { me } = state;
  if (state.userId === userId && me !== null && me.plan !== plan)
    store.set({ ...state, me: { ...me, plan } });
}
