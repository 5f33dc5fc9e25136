import type { Db } from '#worker/db/client.ts';
import type { Origins } from './origins.ts';

/** The signed-in caller: from the verified token and, for the role, from the database on every request. */
export type Identity = { id: string; email: string; role: 'user' | 'admin'; sessionId: string };

export type ApiEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Milliseconds since 1970, read once per request. */
    now: number;
    db: Db;
    origins: Origins;
    /** Null for a visitor. Routes for members read it through `requireMember(c)`. */
    identity: Identity | null;
  };
};
