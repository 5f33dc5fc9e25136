import { createStore } from '#web/ui/create-store.ts';

/** A sign-in of this browser that waits for the second factor. */
export type WaitingSignIn = { email: string };

export type PendingUser = {
  email?: string | undefined;
  app_metadata?: { [member: string]: unknown } | undefined;
};

const store = createStore<WaitingSignIn | null>(null);
export const pendingSignIn = store.get;
export const usePendingSignIn = store.use;

export function loadPendingSignIn(user: PendingUser | null): void {
  const email = user?.app_metadata?.['pending'] === true ? (user.email ?? '') : null;
  if (email !== (store.get()?.email ?? null)) store.set(email === null ? null : { email });
}
