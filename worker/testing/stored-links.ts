import { env } from 'cloudflare:test';
import { publishLinks } from '#worker/edge/publish.ts';
import { withMethods } from '#worker/db/with-methods.ts';

/** A database that fails every request that reads it. */
export const UNTOUCHABLE_DB = withMethods(env.DB, {
  prepare: () => {
    throw new Error('D1 was touched');
  },
});

type Given = {
  target?: string;
  status?: string;
  reason?: string;
  expiresAt?: number;
  isPublished?: boolean;
  updatedAt?: number;
  forwardParams?: string;
};

let serial = 0;

export const nextCode = (): string => `code-${serial + 1}`;

/**
 * Inserts a link into D1, and publishes it to KV unless `isPublished` is false. Times are in ms
 * since 1970.
 */
export async function storeLink(
  given: Given = {},
): Promise<{ code: string; id: number; target: string }> {
  const now = Date.now();
  const {
    status = 'active',
    reason = null,
    expiresAt = null,
    isPublished = true,
    updatedAt = now,
    forwardParams = '',
  } = given;
  const code = `code-${++serial}`;
  const target = given.target ?? `https://example.com/${code}?a=1&b=%C3%BC#part`;
  const row = await env.DB.prepare(
    `INSERT INTO links (code, target, target_host, status, disabled_reason, expires_at, created_at, updated_at, forward_params)
     VALUES (?1, ?2, 'example.com', ?3, ?4, ?5, ?6, ?6, ?7) RETURNING id`,
  )
    .bind(code, target, status, reason, expiresAt, updatedAt, forwardParams)
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  if (isPublished) await publishLinks(env, [id], now);
  return { code, id, target };
}
