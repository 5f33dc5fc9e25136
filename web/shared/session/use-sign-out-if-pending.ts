import { useEffect } from 'react';
import { pendingSignIn } from './pending-sign-in.ts';
import { currentSession, signOut } from './session.ts';

/**
 * Signs out a member who leaves a sign-in before its code. That sign-in has replaced the session in
 * this browser, so the member's requests would have no token.
 */
export function useSignOutIfPending(): void {
  useEffect(
    () => () => {
      if (pendingSignIn() === null || currentSession().status !== 'member') return;
      signOut().catch(() => undefined);
    },
    [],
  );
}
