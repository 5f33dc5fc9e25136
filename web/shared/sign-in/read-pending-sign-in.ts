import { config } from '#web/shared/page/config.ts';
import { loadPendingSignIn, type PendingUser } from '#web/shared/session/pending-sign-in.ts';
import { storageKey } from '#web/shared/session/session.ts';

/** Reads a sign-in that waits for the second factor before the sign-in client has loaded. */
export function readPendingSignIn(): void {
  let user: PendingUser | null = null;
  try {
    const text = localStorage.getItem(storageKey(config.auth.url));
    const stored: { user?: PendingUser } | null = JSON.parse(text ?? 'null');
    user = stored?.user ?? null;
  } catch {
    // An unreadable value counts as no pending sign-in.
  }
  loadPendingSignIn(user);
}
