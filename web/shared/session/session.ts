import type { SupabaseClient } from '@supabase/supabase-js';
import type { SiteConfig } from '#contract/pages/page-templates.ts';
import { config } from '#web/shared/page/config.ts';
import { createStore } from '#web/ui/create-store.ts';
import { deleteStoredImport, keepImportOf } from './import-database.ts';
import { discardAndReload, holdsPage, onGuardedChange } from '#web/ui/unsaved-changes.ts';

/**
 * The current user. `signing-in` means that the code of a hosted service's link is being exchanged
 * for a session. `needsPassword` means that the member has to choose a password before anything
 * else.
 */
export type CurrentSession =
  | { status: 'visitor' }
  | { status: 'signing-in' }
  | { status: 'member'; id: string; email: string; needsPassword: boolean };

type AuthUser = {
  id: string;
  email?: string | undefined;
  app_metadata?: { [member: string]: unknown } | undefined;
};
type StoredSession = { access_token: string; expires_at: number; user: AuthUser };

const VISITOR: CurrentSession = { status: 'visitor' };
/**
 * A token with less than 90 seconds left is refreshed before use. The sign-in client has the same
 * margin.
 */
const REFRESH_MARGIN_MS = 90_000;
/**
 * How many ms the sign-in client waits, so that a member's page can use the network alone. A use of
 * the client loads it earlier.
 */
const CLIENT_DELAY_MS = 5_000;

/**
 * Returns the localStorage key of the sign-in client's session, which the client derives from the
 * first label of its host.
 */
export const storageKey = (authUrl: string): string =>
  `sb-${new URL(authUrl).hostname.split('.')[0]}-auth-token`;

/**
 * Reads the stored session; null if there is none or storage is blocked. This works without the
 * sign-in client, so members never see the visitor's page first.
 */
export function readStoredSession(): StoredSession | null {
  try {
    const text = localStorage.getItem(storageKey(config.auth.url));
    const value: Partial<StoredSession> = JSON.parse(text ?? '');
    const { access_token, expires_at, user } = value;
    return typeof access_token === 'string' &&
      typeof expires_at === 'number' &&
      typeof user?.id === 'string' &&
      // Otherwise it waits for the second factor (pending-sign-in.ts).
      !user.app_metadata?.['pending']
      ? { access_token, expires_at, user }
      : null;
  } catch {
    return null;
  }
}

/**
 * True if a hosted service's link added a sign-in code to the address. On other pages `code` is a
 * short code.
 */
export const hasAuthCode = (
  location: Pick<Location, 'pathname' | 'search'>,
  mode: SiteConfig['auth']['mode'],
): boolean =>
  mode === 'hosted' &&
  /^\/auth(\/|$)/.test(location.pathname) &&
  new URLSearchParams(location.search).has('code');

let prerenderedFor: CurrentSession = VISITOR;
/** Sets the user whose page the build renders next. */
export function prerenderFor(reader: CurrentSession): void {
  prerenderedFor = reader;
}

const store = createStore<CurrentSession>(VISITOR, () => prerenderedFor);
export const currentSession = store.get;
/** Calls `listener` when somebody signs in or out. Returns a function that unsubscribes it. */
export const onSessionChange = store.subscribe;
/** Returns the current session and follows sign-ins and sign-outs in every tab. */
export const useSession = store.use;

/**
 * Says that the session has ended while the member's page stays, because an open dialog or a
 * changed form would be lost with it. `asking` means that a request waits for the sign-in.
 */
type Ended = 'no' | 'ended' | 'asking';
const ended = createStore<Ended>('no');
export const useEndedSession = ended.use;

type Waiting = { asks: boolean; resolve: (isMember: boolean) => void };
let waiting: readonly Waiting[] = [];

/**
 * Waits until the same member has signed in again. Resolves with false if they do not, and at once
 * if the session has not ended on this page. A request that the member made (`asks`) opens the
 * sign-in.
 */
export function signedInAgain(asks: boolean): Promise<boolean> {
  if (ended.get() === 'no') return Promise.resolve(false);
  if (asks) askToSignIn();
  return new Promise((resolve) => {
    waiting = [...waiting, { asks, resolve }];
  });
}

export const askToSignIn = (): void => ended.set('asking');

/** Closes the sign-in. The requests that opened it fail; what was typed stays. */
export function stopAsking(): void {
  ended.set('ended');
  settle(false, ({ asks }) => asks);
}

function settle(isMember: boolean, concerns: (one: Waiting) => boolean = () => true): void {
  const settled = waiting.filter(concerns);
  waiting = waiting.filter((one) => !concerns(one));
  for (const { resolve } of settled) resolve(isMember);
}

// A dialog may replace another one, so this looks after both.
onGuardedChange(() =>
  setTimeout(() => {
    if (ended.get() !== 'no' && !holdsPage()) changeUser(null);
  }),
);

let client: Promise<SupabaseClient> | undefined;
let isSigningOut = false;

function toSession({ id, email = '', app_metadata = {} }: AuthUser): CurrentSession {
  const { has_password, sso, passkey } = app_metadata;
  return {
    status: 'member',
    id,
    email,
    needsPassword: has_password === false && !sso && !passkey,
  };
}

function setUser(user: AuthUser | null): void {
  const current = store.get();
  const stays = current.status === 'member' && !isSigningOut && holdsPage();
  if (!stays || user?.id === current.id) changeUser(user);
  else if (user !== null) discardAndReload();
  else if (ended.get() === 'no') ended.set('ended');
}

function changeUser(user: AuthUser | null): void {
  // News of a sign-in can come after the sign-out that followed it, for example from another tab.
  if (user !== null && readStoredSession() !== null) keepImportOf(user.id);
  const next = user === null ? VISITOR : toSession(user);
  if (JSON.stringify(next) !== JSON.stringify(store.get())) store.set(next);
  if (ended.get() === 'no') return;
  ended.set('no');
  settle(user !== null);
}

export function authClient(): Promise<SupabaseClient> {
  client ??= import('./auth-client.ts').then(({ createAuthClient }) =>
    createAuthClient(config.auth, hasAuthCode(window.location, config.auth.mode), setUser),
  );
  client.catch(() => {
    client = undefined;
  });
  return client;
}

/**
 * Reads the stored session before the first paint and follows changes in other tabs. The sign-in
 * client loads at once if a hosted service's link added a code, after the delay for a member, whose
 * token it renews, and never for a visitor.
 */
export function startSession(clientDelayMs: number = CLIENT_DELAY_MS): void {
  const stored = readStoredSession();
  setUser(stored?.user ?? null);
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey(config.auth.url) || event.key === null)
      setUser(readStoredSession()?.user ?? null);
  });
  if (hasAuthCode(window.location, config.auth.mode)) {
    store.set({ status: 'signing-in' });
    authClient()
      .then(({ auth }) => auth.getSession())
      .then(({ data }) => setUser(data.session?.user ?? null))
      .catch(() => setUser(null));
  } else if (stored !== null) {
    setTimeout(() => void authClient().catch(() => undefined), clientDelayMs);
  }
}

/**
 * Returns the member's access token, refreshed if it is about to expire; null for a visitor. `now`
 * is in ms.
 */
export async function accessToken(): Promise<string | null> {
  const stored = readStoredSession();
  if (stored === null) return null;
  if (stored.expires_at * 1000 > Date.now() + REFRESH_MARGIN_MS) return stored.access_token;
  const { auth } = await onlineClient();
  const { data, error } = await auth.getSession();
  if (data.session === null && isUnreachable(error)) throw error;
  return data.session?.access_token ?? null;
}

/** Fails at once offline, where the client would try to renew a token for half a minute. */
const onlineClient = async (): Promise<SupabaseClient> => {
  if (!navigator.onLine) throw new Error('offline');
  return authClient();
};

/** True if the service did not answer, which says nothing about the session. */
const isUnreachable = (error: Error | null): error is Error =>
  error?.name === 'AuthRetryableFetchError';

/**
 * Gets a new access token after a 401. If the session has ended, signs out this browser and returns
 * null. Throws if the service did not answer.
 */
export async function refreshAccessToken(): Promise<string | null> {
  const { auth } = await onlineClient();
  const { data, error } = await auth.refreshSession();
  if (data.session !== null) return data.session.access_token;
  if (isUnreachable(error)) throw error;
  await auth.signOut({ scope: 'local' });
  return null;
}

/**
 * Signs out on every device. Throws unless the service confirms it, because other devices may then
 * still be signed in.
 */
export const signOutEverywhere = (): Promise<void> =>
  leave(async () => {
    const { auth } = await authClient();
    const { error } = await auth.signOut({ scope: 'global' });
    if (error !== null) throw error;
  });

export const signOut = (): Promise<void> =>
  leave(async () => {
    const { auth } = await authClient();
    await auth.signOut({ scope: 'local' });
  });

/** Signs out on the member's own wish, so no form holds the page. */
async function leave(end: () => Promise<void>): Promise<void> {
  isSigningOut = true;
  try {
    await end();
    setUser(null);
  } finally {
    isSigningOut = false;
  }
  deleteStoredImport();
}
