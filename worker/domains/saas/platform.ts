import { parseJson } from '#worker/http/parse-json.ts';
import * as z from 'zod/mini';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import { logEvent } from '#worker/log.ts';
import type { SaasSettings } from './settings.ts';

/** A host as the platform knows it, with its two states: of the host and of its certificate. */
export type Hostname = { id: string; status: string; sslStatus: string };

/**
 * `limited`: too many certificates within a minute. `blocked`: another account of the platform
 * holds the host. `refused`: the platform does not accept the host. `unavailable`: it could not be
 * asked, or it does not accept our token.
 */
export type PlatformFault =
  | 'not_found'
  | 'blocked'
  | 'quota'
  | 'limited'
  | 'refused'
  | 'unavailable';
export type PlatformResult<T> = { ok: true; value: T } | { ok: false; reason: PlatformFault };

export type Quota = { allocated: number; used: number };

export type Platform = {
  /** Creates a hostname, or returns the one that our zone already has. */
  create: (host: string) => Promise<PlatformResult<Hostname>>;
  read: (id: string) => Promise<PlatformResult<Hostname>>;
  /** Starts the validation again, at once. */
  refresh: (id: string) => Promise<PlatformResult<Hostname>>;
  /** Succeeds for a hostname that does not exist, too. */
  remove: (id: string) => Promise<PlatformResult<null>>;
  readQuota: () => Promise<PlatformResult<Quota>>;
};

const TIME_LIMIT_MS = 8_000;
const ANSWER_MAX_BYTES = 256_000;
/** https://developers.cloudflare.com/ssl/ssl-for-saas/status-codes/custom-hostnames/ */
const DUPLICATE = 1406;

const SSL = { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } } as const;

const hostnameSchema = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  hostname: z.string(),
  status: z.optional(z.string()),
  ssl: z.nullish(z.object({ status: z.optional(z.string()) })),
});
const quotaSchema = z.object({ allocated: z.number(), used: z.number() });
const envelopeSchema = z.object({
  success: z.boolean(),
  result: z.unknown(),
  errors: z.optional(z.array(z.object({ code: z.optional(z.number()) }))),
});

type Answer = { status: number; result: unknown; codes: number[] } | null;

/**
 * The custom hostnames of one zone
 * (https://developers.cloudflare.com/api/resources/custom_hostnames/). Its failures are reasons: no
 * text of the platform leaves this file, because it may repeat what was sent.
 */
export function createPlatform(settings: SaasSettings, fetcher: FetchFunction): Platform {
  const base = `${settings.apiUrl}/zones/${encodeURIComponent(settings.zoneId)}/custom_hostnames`;
  const ask = (method: string, path: string, json?: object) =>
    send(fetcher, base + path, { token: settings.token, method, json });

  const readQuota = async (): Promise<PlatformResult<Quota>> =>
    resultOf(await ask('GET', '/quota'), quotaSchema);
  const findOwn = async (host: string): Promise<PlatformResult<Hostname>> => {
    const answer = await ask('GET', `?hostname=${encodeURIComponent(host)}`);
    const list = resultOf(answer, z.array(hostnameSchema));
    if (!list.ok) return list;
    const own = list.value.find(({ hostname }) => hostname === host);
    return own === undefined
      ? { ok: false, reason: 'blocked' }
      : { ok: true, value: toHostname(own) };
  };
  return {
    create: async (host) => {
      const answer = await ask('POST', '', { hostname: host, ssl: SSL });
      if (answer?.codes.includes(DUPLICATE) === true) return findOwn(host);
      const created = hostnameOf(answer);
      if (created.ok || created.reason !== 'refused') return created;
      const quota = await readQuota();
      const isFull = quota.ok && quota.value.used >= quota.value.allocated;
      return isFull ? { ok: false, reason: 'quota' } : created;
    },
    read: async (id) => hostnameOf(await ask('GET', `/${id}`)),
    refresh: async (id) => hostnameOf(await ask('PATCH', `/${id}`, { ssl: SSL })),
    remove: async (id) => {
      const answer = await ask('DELETE', `/${id}`);
      if (answer !== null && (answer.status < 300 || answer.status === 404))
        return { ok: true, value: null };
      return { ok: false, reason: faultOf(answer) };
    },
    readQuota,
  };
}

async function send(
  fetcher: FetchFunction,
  url: string,
  { token, method, json }: { token: string; method: string; json: object | undefined },
): Promise<Answer> {
  try {
    const response = await fetcher(url, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const body = await readBodyText(response.body, ANSWER_MAX_BYTES, TIME_LIMIT_MS);
    const parsed =
      body.ok && body.text !== '' ? envelopeSchema.safeParse(parseJson(body.text)) : null;
    const envelope = parsed?.success === true ? parsed.data : null;
    const codes = (envelope?.errors ?? []).flatMap(({ code }) => code ?? []);
    if (!response.ok)
      logEvent('saas_request_failed', { method, status: response.status, codes: codes.join(' ') });
    return { status: response.status, result: envelope?.result, codes };
  } catch {
    logEvent('saas_request_failed', { method, status: 0, codes: '' });
    return null;
  }
}

function faultOf(answer: Answer): PlatformFault {
  if (answer === null || answer.status >= 500) return 'unavailable';
  if (answer.status === 429) return 'limited';
  if (answer.status === 404) return 'not_found';
  // The token is wrong, or it has no permission.
  if (answer.status === 401 || answer.codes.some((code) => code === 10000 || code === 9109))
    return 'unavailable';
  return answer.status >= 400 ? 'refused' : 'unavailable';
}

function resultOf<T>(answer: Answer, schema: z.ZodMiniType<T>): PlatformResult<T> {
  if (answer === null || answer.status >= 300) return { ok: false, reason: faultOf(answer) };
  const parsed = schema.safeParse(answer.result);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: 'unavailable' };
}

type StoredHostname = z.infer<typeof hostnameSchema>;

const toHostname = ({ id, status, ssl }: StoredHostname): Hostname => ({
  id,
  status: status ?? 'pending',
  sslStatus: ssl?.status ?? '',
});

function hostnameOf(answer: Answer): PlatformResult<Hostname> {
  const result = resultOf(answer, hostnameSchema);
  return result.ok ? { ok: true, value: toHostname(result.value) } : result;
}
