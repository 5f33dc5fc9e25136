import type { AuthorizationServer, JWKSCacheInput } from 'oauth4webapi';
import { MINUTE_MS, HOUR_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { isLoopback } from '#worker/http/origins.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import type { OidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { describeFault } from './describe-fault.ts';
import { recordFailure, recordLook } from './failures.ts';
import { fail, type Failed } from './reasons.ts';

export type Library = typeof import('./library.ts');

/** Loaded on first use, so that deployments without a provider never evaluate it. */
export const loadLibrary = (): Promise<Library> => import('./library.ts');

/** The provider's metadata and the options of every request to it. */
export type Provider = { server: AuthorizationServer; options: RequestOptions };

type RequestOptions = ReturnType<typeof optionsOf>;

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 256 * 1024;
const METADATA_MS = HOUR_MS;
/** After a failure the provider is not asked again for this long. */
const COOL_DOWN_MS = MINUTE_MS / 2;

type Looker = { db: Db; oidc: OidcSettings; now: number };
type Look = { at: number; found: Found };
type Found = { ok: true; value: AuthorizationServer } | Failed;
/** What this isolate last read at each issuer. It is only a cache: the provider has the truth. */
const looks = new Map<string, Look>();

/**
 * Reads the provider's metadata, at most once an hour, or every 30 seconds while that fails. Each
 * look is recorded for the system page.
 */
export async function findProvider({
  db,
  oidc: settings,
  now,
}: Looker): Promise<{ ok: true; value: Provider } | Failed> {
  const known = looks.get(settings.issuer);
  const isFresh =
    known !== undefined && now - known.at < (known.found.ok ? METADATA_MS : COOL_DOWN_MS);
  const found = isFresh ? known.found : await discover(settings);
  if (!isFresh) {
    looks.set(settings.issuer, { at: now, found });
    await recordLook(db, found, now);
    if (!found.ok) await recordFailure(db, found, now);
  }
  if (!found.ok) return found;
  const library = await loadLibrary();
  return { ok: true, value: { server: found.value, options: optionsOf(library, settings) } };
}

/** The keys that this isolate knows. The library asks for an unknown key, at most once a minute. */
const keys = new Map<string, JWKSCacheInput>();
export const keysOf = (issuer: string): JWKSCacheInput => getOrCreate(keys, issuer, () => ({}));

/** Forgets what was read, so that the next look asks the provider. */
export function forgetProviders(): void {
  looks.clear();
  keys.clear();
}

async function discover(settings: OidcSettings): Promise<Found> {
  if (settings.clientId === '') return fail('setup_incomplete', 'OIDC_CLIENT_ID is not set');
  const issuer = URL.parse(settings.issuer);
  if (issuer === null || (issuer.protocol !== 'https:' && !isLoopback(settings.issuer)))
    return fail('setup_incomplete', 'OIDC_ISSUER is not an https address');
  const library = await loadLibrary();
  try {
    const response = await library.discoveryRequest(issuer, {
      ...optionsOf(library, settings),
      algorithm: 'oidc',
    });
    return { ok: true, value: await parseMetadata(library, settings.issuer, response) };
  } catch (error) {
    const { isNetwork, detail } = describeFault(error);
    return fail(isNetwork ? 'provider_unreachable' : 'provider_metadata', detail);
  }
}

/**
 * Parses the provider's metadata, whose issuer must be the configured one. Only asymmetric
 * signatures remain: a token signed with `none`, or with a public key as an HMAC key, is refused.
 */
export async function parseMetadata(
  library: Library,
  issuer: string,
  response: Response,
): Promise<AuthorizationServer> {
  const server = await library.processDiscoveryResponse(new URL(issuer), response);
  for (const member of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (typeof server[member] !== 'string') throw new Error(`The metadata have no ${member}.`);
  const algorithms = server.id_token_signing_alg_values_supported?.filter(
    (name) => name !== 'none' && !name.startsWith('HS'),
  );
  return algorithms === undefined || algorithms.length === 0
    ? { ...server, id_token_signing_alg_values_supported: ['RS256'] }
    : { ...server, id_token_signing_alg_values_supported: algorithms };
}

const optionsOf = (library: Library, settings: OidcSettings) => ({
  signal: () => AbortSignal.timeout(TIMEOUT_MS),
  [library.customFetch]: fetchLimited,
  // Only a loopback issuer gets this far without https.
  [library.allowInsecureRequests]: isLoopback(settings.issuer),
});

type Asked = {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams | undefined;
  signal?: AbortSignal | undefined;
};

/** `fetch` whose answer is small, complete and not a redirect's target. */
async function fetchLimited(
  url: string,
  { method, headers: sent, body: form, signal }: Asked,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(form !== undefined && { body: form }),
    ...(signal !== undefined && { signal }),
  });
  const body = await readBodyText(response.body, ANSWER_MAX_BYTES, TIMEOUT_MS);
  if (!body.ok) throw new TypeError(`The answer is ${body.reason.replace('_', ' ')}.`);
  const headers = new Headers();
  for (const name of ['Content-Type', 'WWW-Authenticate']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const isEmpty = response.status === 204 || response.status === 304;
  return new Response(isEmpty ? null : body.text, { status: response.status, headers });
}
