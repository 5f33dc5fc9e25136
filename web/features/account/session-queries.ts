import { useQuery } from '@tanstack/react-query';
import type { Session, SessionsResponse } from '#contract/sessions.ts';
import { api } from '#web/shared/api.ts';
import { config } from '#web/shared/config.ts';
import { useSend } from '#web/shared/use-send.ts';

const KEY = ['sessions'];

/** True if the sessions of members are kept here, and not by a hosted sign-in service. */
export const keepsSessions = (): boolean => config.auth.mode === 'embedded';

/** The member's sessions, the current one first. */
export const useSessions = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<SessionsResponse>('/api/sessions', { signal }),
    enabled: keepsSessions(),
  });

/** Ends a session, or all but the current one if it is given null, and reloads the list. */
export const useEndSession = (onDone: (session: Session | null) => void) =>
  useSend(
    (session: Session | null) =>
      api(session === null ? '/api/sessions' : `/api/sessions/${encodeURIComponent(session.id)}`, {
        method: 'DELETE',
      }),
    [KEY],
    (_answer, session) => onDone(session),
  );
