import type { SupabaseClient } from '@supabase/supabase-js';
import { useSyncExternalStore } from 'react';
import type { SiteConfig } from '#contract/config.ts';
import { config } from './config.ts';

/**
 * Who looks at the page. `arriving`: a hosted service's link brought a code which is being exchanged for a session.
 * `needsPassword`: the account has no password yet, and choosing one comes before everything else.
 */
export type Session =
  | { status: 'visitor' }
  | { status: 'arriving' }
  | { status: 'member'; id: string; email: string; needsPassword: boolean };

type Person = { id: string; email?: string | undefined; app_metadata?: { [member: string]: unknown } | undefined };
type Stored = { access_token: string; expires_at: number; user: Person };

const VISITOR: Session = { status: 'visitor' };
/** The client itself refreshes a token that has less than this left. */
const REFRESH_MARGIN_MS = 90_000;

/** The key under which the sign-in client keeps its session: the first label of its host names it. */
export const storageKey = (authUrl: string): string => `sb-${new URL(authUrl).hostname.split('.')[0]}-auth-token`;

/** A stored session, or null where the text is none. Read without the sign-in client, so that a member sees no flash of the visitor's page. */
export function parseStoredSession(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    const value: Partial<Stored> | null = JSON.parse(text);
    if (value === null || typeof value !== 'object') return null;
    const { access_token, expires_at, user } = value;
    if (typeof access_token !== 'string' || typeof expires_at !== 'number' || typeof user?.id !== 'string') return null;
    return { access_token, expires_at, user };
  } catch {
    return null;
  }
}

/** True where a hosted service's link brings a code for a session. Other pages have a `code` that means a short link. */
export const hasAuthCode = (location: Pick<Location, 'pathname' | 'search'>, mode: SiteConfig['auth']['mode']): boolean =>
  mode === 'hosted' && /^\/auth(\/|$)/.test(location.pathname) && new URLSearchParams(location.search).has('code');

let session: Session = VISITOR;
const listeners = new Set<() => void>();
let client: Promise<SupabaseClient> | undefined;

function readStored(): Stored | null {
  try {
    return parseStoredSession(localStorage.getItem(storageKey(config.auth.url)));
  } catch {
    return null;
  }
}

const memberOf = (user: Person): Session => ({
  status: 'member',
  id: user.id,
  email: user.email ?? '',
  needsPassword: user.app_metadata?.['has_password'] === false,
});

function show(user: Person | null): void {
  const next = user === null ? VISITOR : memberOf(user);
  if (JSON.stringify(next) === JSON.stringify(session)) return;
  session = next;
  for (const listener of listeners) listener();
}

/** The sign-in client, loaded on first use. */
export function authClient(): Promise<SupabaseClient> {
  client ??= import('./auth-client.ts').then(({ createAuthClient }) => {
    const made = createAuthClient(config.auth, hasAuthCode(window.location, config.auth.mode));
    made.auth.onAuthStateChange((_event, current) => show(current?.user ?? null));
    return made;
  });
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * Learns who is here before the first paint, and follows other tabs. The client loads at once when a hosted service's link
 * brings a code, when idle for a member, never for a visitor.
 */
export function startSession(): void {
  const stored = readStored();
  show(stored?.user ?? null);
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey(config.auth.url) || event.key === null) show(readStored()?.user ?? null);
  });
  if (hasAuthCode(window.location, config.auth.mode)) {
    session = { status: 'arriving' };
    authClient()
      .then((made) => made.auth.getSession())
      .then(({ data }) => show(data.session?.user ?? null))
      .catch(() => show(null));
  } else if (stored !== null) {
    const load = (): void => {
      authClient().catch(() => undefined);
    };
    if ('requestIdleCallback' in window) window.requestIdleCallback(load, { timeout: 3_000 });
    else setTimeout(load, 1_000);
  }
}

/** The bearer token of the member, refreshed where it is about to expire; null for a visitor. */
export async function accessToken(now: number = Date.now()): Promise<string | null> {
  const stored = readStored();
  if (stored === null) return null;
  if (stored.expires_at * 1000 > now + REFRESH_MARGIN_MS) return stored.access_token;
  const { data } = await (await authClient()).auth.getSession();
  return data.session?.access_token ?? null;
}

/** After a 401: one new token, or null (and signed out here) where the session is over. */
export async function refreshAccessToken(): Promise<string | null> {
  const made = await authClient();
  const { data } = await made.auth.refreshSession();
  if (data.session !== null) return data.session.access_token;
  await made.auth.signOut({ scope: 'local' });
  return null;
}

/** Signs out on every device. Throws where the service does not confirm it: another device may then still be signed in. */
export async function signOutEverywhere(): Promise<void> {
  const made = await authClient();
  const { error } = await made.auth.signOut({ scope: 'global' });
  if (error !== null) throw error;
  show(null);
}

/** Signs out on this device: here and in the other tabs of this browser. */
export async function signOut(): Promise<void> {
  const made = await authClient();
  await made.auth.signOut({ scope: 'local' });
  show(null);
}

export const currentSession = (): Session => session;

/** Calls `listener` whenever another person is here; gives what ends it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who is here, kept current across tabs. */
export const useSession = (): Session => useSyncExternalStore(onSessionChange, currentSession);
