import type { Db } from '#worker/db/client.ts';

export type Blocked = { kind: 'host' | 'target'; value: string; reason: string };

/**
 * The blocklist entry that forbids this target, or null: its host or any parent domain of it, or exactly this target
 * (SHA-256 of the href, hex). One query, whatever the host's depth.
 */
export async function findBlocked(db: Db, url: URL): Promise<Blocked | null> {
  const row = await db.$client
    .prepare(
      `SELECT kind, value, reason FROM blocklist
       WHERE (kind = 'host' AND value IN (SELECT value FROM json_each(?1))) OR (kind = 'target' AND value = ?2) LIMIT 1`,
    )
    .bind(JSON.stringify(hostSuffixes(url.hostname)), await hashOfTarget(url.href))
    .first<Blocked>();
  return row ?? null;
}

/** `a.b.example.com.` → `a.b.example.com`, `b.example.com`, `example.com`, `com`. An IP literal has only itself. */
export function hostSuffixes(hostname: string): string[] {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return [host];
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}

/** How an exact target stands in the blocklist. */
export async function hashOfTarget(href: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(href)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
