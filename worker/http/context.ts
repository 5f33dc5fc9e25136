import type { Db } from '#worker/db/client.ts';
import type { Origins } from './origins.ts';

/** Who is asking: read from the verified token and, for the role, from the database on every request. */
export type Identity = { id: string; email: string; role: 'user' | 'admin'; sessionId: string };

export type ApiEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Milliseconds since 1970: one reading per request. */
    now: number;
    db: Db;
    origins: Origins;
    /** null where nobody is signed in. Routes for members read it through `member(c)`. */
    identity: Identity | null;
  };
};
