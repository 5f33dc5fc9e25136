import type { Context } from 'hono';
import { authSecret } from '#worker/auth/service/settings.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError, type ApiError } from '#worker/http/errors.ts';
import {
  leaseRequest,
  hashRequest,
  keyOfCaller,
  releaseRequest,
  storeAnswer,
  type LeaseResult,
  type InsertGuard,
  type StoredAnswer,
} from '#worker/http/idempotency.ts';
import { requireKey } from '#worker/http/validate.ts';
import { errorFacts, logEvent } from '#worker/log.ts';

const HEADER = 'Idempotency-Key';
const NOTHING: ReadonlyMap<number, number> = new Map();

/** An answer with failures is not stored, so that its repetition tries those items again. */
type Answer = StoredAnswer & { hasFailures?: boolean };
type Run = (guard: InsertGuard | null, createdIds: ReadonlyMap<number, number>) => Promise<Answer>;

/**
 * Answers a POST that creates links. With an Idempotency-Key the links are created once, and every
 * repetition within a day with the same API key gets the stored answer. Only successful answers are
 * stored: a rejected request or item has changed nothing, and its repetition may succeed.
 */
export async function answerOnce(c: Context<ApiEnv>, input: unknown, run: Run): Promise<Response> {
  const key = keyOf(c.req.header(HEADER));
  if (key === null) return send(c, await run(null, NOTHING));
  const db = c.get('db');
  const caller = requireKey(c);
  const name = {
    userId: caller.userId,
    key: keyOfCaller(caller.keyId, key),
    hash: hashRequest(authSecret(c.env), c.req.method, c.req.path, input),
  };
  const lease = await leaseRequest(db, name, c.get('now'));
  if (lease.kind === 'answered') {
    c.header('Idempotency-Replayed', 'true');
    return send(c, lease.answer);
  }
  if (lease.kind !== 'run') throw leaseError(lease);
  let answer: Answer;
  try {
    answer = await run(lease.request, lease.createdIds);
  } catch (error) {
    await quietly(releaseRequest(db, lease.request));
    throw error;
  }
  const { hasFailures = false, ...stored } = answer;
  await quietly(
    hasFailures ? releaseRequest(db, lease.request) : storeAnswer(db, lease.request, stored),
  );
  return send(c, answer);
}

/**
 * Returns the key without the quotes of a structured field (RFC 9651); null without the header.
 * Throws 400 for a key that is not valid.
 */
function keyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[!-~]{1,255}$/.test(key)) return key;
  throw apiError('bad_idempotency_key');
}

function leaseError({ kind }: Exclude<LeaseResult, { kind: 'run' | 'answered' }>): ApiError {
  return kind === 'in_progress' ? apiError('request_runs') : apiError('idempotency_key_reused');
}

/** A failure to store the answer does no harm: the next attempt finds what this one has created. */
async function quietly(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    logEvent('idempotency_not_stored', errorFacts(error));
  }
}

function send(c: Context<ApiEnv>, { status, location, body }: StoredAnswer): Response {
  if (location !== null) c.header('Location', location);
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/json' });
}
