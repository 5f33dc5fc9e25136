import { useQuery } from '@tanstack/react-query';
import type { Session, SessionsResponse } from '#contract/account/account.ts';
import { api } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';
import { useSend } from '#web/shared/api/use-send.ts';

const KEY = ['sessions'];

/** True if Hop stores the members' sessions, false with a hosted sign-in service. */
export const keepsSessions = (): boolean => config.auth.mode === 'embedded';

export const useSessions = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<SessionsResponse>('/api/sessions', { signal }),
    enabled: keepsSessions(),
  });

/** Ends a session and reloads the list. Null ends all but the current one. */
export const useEndSession = (onDone: (session: Session | null) => void) =>
  useSend(
    (session: Session | null) =>
      api(session === null ? '/api/sessions' : `/api/sessions/${encodeURIComponent(session.id)}`, {
        method: 'DELETE',
      }),
    [KEY],
    (_answer, session) => onDone(session),
  );
