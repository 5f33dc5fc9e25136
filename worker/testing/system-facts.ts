import { env } from 'cloudflare:test';

/** The value of a fact about the installation, parsed; null if it is not stored. */
export async function factOf(name: string): Promise<unknown> {
  const value = await env.DB.prepare('SELECT value FROM system_facts WHERE name = ?')
    .bind(name)
    .first<string>('value');
  return value === null ? null : JSON.parse(value);
}
