import { env } from 'cloudflare:test';
import type { LinkVariant } from '#contract/links/link-variants.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { HOUR_MS } from '#contract/time.ts';
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
  startsAt?: number;
  fallbackUrl?: string;
  redirectStatus?: number;
  /** The hash of the password. */
  password?: string;
  /** The rules in the form of the API. */
  rules?: LinkRule[];
  variants?: LinkVariant[];
  clickLimit?: number | null;
  isLimitOpen?: boolean;
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
    startsAt = null,
    fallbackUrl = '',
    redirectStatus = 302,
    rules = [],
    variants = [],
    clickLimit = null,
    isLimitOpen = false,
    password = '',
  } = given;
  const code = `code-${++serial}`;
  const target = given.target ?? `https://example.com/${code}?a=1&b=%C3%BC#part`;
  const row = await env.DB.prepare(
    `INSERT INTO links (code, target, target_host, status, disabled_reason, expires_at, created_at, updated_at, forward_params,
       starts_at, fallback_url, redirect_status, rules, variants, click_limit, limit_open, limit_id, password_hash)
     VALUES (?1, ?2, 'example.com', ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) RETURNING id`,
  )
    .bind(
      code,
      target,
      status,
      reason,
      expiresAt,
      updatedAt,
      forwardParams,
      startsAt,
      fallbackUrl,
      redirectStatus,
      rules.length === 0 ? '' : JSON.stringify(rules),
      variants.length === 0 ? '' : JSON.stringify(variants),
      clickLimit,
      isLimitOpen ? 1 : 0,
      clickLimit === null ? '' : crypto.randomUUID(),
      password,
    )
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  if (isPublished) await publishLinks(env, [id], now);
  return { code, id, target };
}

/** The times of a row of `links`, all different, so that a test sees which one is used. */
export const rowTimes = (now: number) => ({
  created_at: now - 9 * HOUR_MS,
  updated_at: now - 8 * HOUR_MS,
  target_changed_at: now - 7 * HOUR_MS,
  changes_until: now - 6 * HOUR_MS,
  recheck_at: now + 6 * HOUR_MS,
  expires_at: now + 7 * HOUR_MS,
});

/** Inserts a row of `links`, by default one with `rowTimes`, at version 5. Returns its code. */
export async function insertRow(
  now: number,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const code = `row-${++serial}`;
  const row: Record<string, unknown> = {
    code,
    target: 'https://example.com/old',
    target_host: 'example.com',
    version: 5,
    ...rowTimes(now),
    ...columns,
  };
  const names = Object.keys(row);
  await env.DB.prepare(
    `INSERT INTO links (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
  return String(row['code']);
}
