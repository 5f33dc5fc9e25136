import type { Context } from 'hono';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { Scope } from '#contract/api/scopes.ts';
import type { PlanType } from '#contract/site.ts';
import type { Db } from '#worker/db/client.ts';
import type { DomainNames } from '#worker/db/domain-names.ts';
import type { LinkIds } from '#worker/db/link-ids.ts';
import type { Origins } from './origins.ts';
import type { BodyText } from './read-body.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/**
 * The signed-in caller. It comes from the verified token; its role is read from D1 on every
 * request.
 */
export type Identity = {
  id: string;
  email: string;
  role: 'user' | 'admin';
  sessionId: string;
  domains: DomainNames;
  /** The domain that the caller has chosen for new links. */
  defaultDomain: DomainId;
  /** Whether the session has shown a second factor, or began at a provider, which decides. */
  hasSecondFactor: boolean;
};

/**
 * A caller with a valid API key, who acts as its owner within the key's scopes. It is read from D1
 * on every request.
 */
export type KeyIdentity = {
  userId: string;
  plan: PlanType;
  keyId: string;
  /**
   * The SHA-256 of the secret that was sent. During a rotation a key has two secrets, and one may
   * expire first.
   */
  secretHash: string;
  keyName: string;
  scopes: readonly Scope[];
  /** The caller sees and creates only links whose code starts with this; '' for all. */
  codePrefix: string;
  /** In ms since 1970; null if the key does not expire. */
  expiresAt: number | null;
  /** The ids of links in requests and answers. */
  linkIds: LinkIds;
  domains: DomainNames;
  /** The domain that its owner has chosen for new links. */
  defaultDomain: DomainId;
};

export type ApiEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /**
     * The request's body. Routes read it with `readJson(c, schema)`, because the stream has already
     * been consumed.
     */
    body: BodyText;
    /** In ms since 1970. Read once per request, after its body has arrived. */
    now: number;
    /**
     * For a signed-in caller or a key, every write fails once the caller has lost access
     * (db/guard-writes.ts).
     */
    db: Db;
    origins: Origins;
    /** Null for a visitor. Routes for members use `requireMember(c)`. */
    identity: Identity | null;
    /** The caller of a route below /api/v1; null elsewhere. Routes use `requireKey(c)`. */
    key: KeyIdentity | null;
  };
};

/** The parts of a request that a use case needs to publish, evict or send mail. */
export type RequestContext = {
  env: Env;
  db: Db;
  request: Request;
  origins: Origins;
  now: number;
  waitUntil: WaitUntil;
};

export const requestContext = (c: Context<ApiEnv>): RequestContext => ({
  env: c.env,
  db: c.get('db'),
  request: c.req.raw,
  origins: c.get('origins'),
  now: c.get('now'),
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});
