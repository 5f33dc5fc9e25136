import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/ */
const TRIES_MAX = 75;
const CERTIFICATES_PER_MINUTE = 15;
const LIFETIME_MS = 7 * DAY_MS;
const HOST_MAX = 64;
const DUPLICATE = { code: 1406, message: 'Duplicate custom hostname found.' };

const DNS_TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, CAA: 257 } as const;
export type DnsType = keyof typeof DNS_TYPES;

type Hostname = {
  id: string;
  hostname: string;
  status: 'pending' | 'active' | 'moved' | 'blocked';
  sslStatus: 'pending_validation' | 'active';
  createdAt: number;
  movedAt: number | null;
  tries: number;
};

export type FakeSaas = ReturnType<typeof createFakeSaas>;

/**
 * The platform's custom hostnames as a state machine, and resolvers over one DNS table.
 * `respond` answers the requests of the Worker; its state changes only by requests, by changes of
 * the table and by the clock.
 */
export function createFakeSaas({
  zoneId,
  token,
  target,
}: Record<'zoneId' | 'token' | 'target', string>) {
  const records = new Map<string, string[]>();
  /** Records that only one resolver sees, by the number of the resolver. */
  const partial = new Map<string, string[]>();
  const hostnames = new Map<string, Hostname>();
  /** Hosts that another account of the platform holds, and hosts under a zone hold. */
  const foreign = new Set<string>();
  const held = new Set<string>();
  const requests: string[] = [];
  const created: number[] = [];
  let now = Date.now();
  let isDown = false;
  let areResolversDown = false;
  let allocated = 100;
  let lastId = 0;

  const recordsOf = (name: string, type: DnsType, resolver = 0): string[] =>
    partial.get(`${resolver} ${type} ${name}`) ?? records.get(`${type} ${name}`) ?? [];
  const leadsHere = (host: string): boolean => recordsOf(host, 'CNAME').includes(target);
  const allowsCertificate = (host: string): boolean => {
    const labels = host.split('.');
    for (let at = 0; at < labels.length; at += 1) {
      const found = recordsOf(labels.slice(at).join('.'), 'CAA');
      if (found.length > 0) return found.some((record) => record.includes('letsencrypt.org'));
    }
    return true;
  };

  const validate = (one: Hostname): void => {
    if (held.has(one.hostname)) one.status = 'blocked';
    else if (leadsHere(one.hostname)) {
      one.status = 'active';
      one.movedAt = null;
      if (allowsCertificate(one.hostname)) one.sslStatus = 'active';
    }
  };
  /** Runs what is due by now: tries, and the end of hostnames. */
  const settle = (): void => {
    for (const one of hostnames.values()) {
      const due = triesAt(now - one.createdAt);
      if (one.status === 'pending' || one.sslStatus !== 'active') {
        if (due > one.tries) validate(one);
        one.tries = Math.max(one.tries, due);
        if (
          one.status === 'pending' &&
          (one.tries >= TRIES_MAX || now - one.createdAt >= LIFETIME_MS)
        )
          hostnames.delete(one.id);
      } else if (one.status === 'active' && !leadsHere(one.hostname)) {
        one.status = 'moved';
        one.movedAt = now;
      }
      if (one.movedAt !== null && now - one.movedAt >= LIFETIME_MS) hostnames.delete(one.id);
    }
  };

  const answerApi = (
    method: string,
    path: string,
    query: URLSearchParams,
    body: string,
  ): Response => {
    if (method === 'GET' && path === '/quota')
      return envelope(200, { allocated, used: hostnames.size, exceeded: false });
    if (method === 'GET' && path === '')
      return envelope(
        200,
        [...hostnames.values()]
          .filter(({ hostname }) => hostname === query.get('hostname'))
          .map(shown),
      );
    if (method === 'POST') return create(JSON.parse(body));
    const found = hostnames.get(path.slice(1));
    if (found === undefined)
      return envelope(404, null, { code: 1436, message: 'The custom hostname was not found.' });
    if (method === 'PATCH') {
      validate(found);
      return envelope(202, shown(found));
    }
    if (method === 'DELETE') hostnames.delete(found.id);
    return method === 'DELETE' ? Response.json({ id: found.id }) : envelope(200, shown(found));
  };

  const create = ({ hostname, ssl }: { hostname: string; ssl?: { method?: string } }): Response => {
    const lately = created.filter((at) => now - at < MINUTE_MS);
    if (lately.length >= CERTIFICATES_PER_MINUTE)
      return envelope(429, null, { code: 1429, message: 'Too many certificates.' });
    const isKnown = [...hostnames.values()].some((one) => one.hostname === hostname);
    if (isKnown || foreign.has(hostname)) return envelope(409, null, DUPLICATE);
    if (hostname.length > HOST_MAX || ssl?.method !== 'http')
      return envelope(400, null, { code: 1407, message: `Invalid custom hostname: ${hostname}` });
    if (hostnames.size >= allocated)
      return envelope(403, null, { code: 1405, message: 'Quota exceeded.' });
    lastId += 1;
    const one: Hostname = {
      id: `hostname-${lastId}`,
      hostname,
      status: 'pending',
      sslStatus: 'pending_validation',
      createdAt: now,
      movedAt: null,
      tries: 0,
    };
    created.push(now);
    hostnames.set(one.id, one);
    return envelope(201, shown(one));
  };

  const resolve = (resolver: number, name: string, type: DnsType): Response => {
    if (areResolversDown) return new Response('down', { status: 502 });
    const answer = (at: string, one: DnsType) =>
      recordsOf(at, one, resolver).map((data) => ({
        name: at,
        type: DNS_TYPES[one],
        data: one === 'TXT' ? `"${data}"` : data,
      }));
    const [alias] = type === 'CNAME' ? [] : answer(name, 'CNAME');
    const found = alias === undefined ? answer(name, type) : [alias, ...answer(alias.data, type)];
    return Response.json({ Status: found.length === 0 ? 3 : 0, Answer: found });
  };

  return {
    hostnames,
    foreign,
    held,
    /** `METHOD path` of every request to the API. */
    requests,
    settings: {
      CF_SAAS_ZONE_ID: zoneId,
      CF_SAAS_TOKEN: token,
      CF_SAAS_TARGET: target,
      CF_SAAS_API_URL: 'https://saas.test/client/v4',
      DOMAINS_DOH_URLS: 'https://saas.test/resolver-0 https://saas.test/resolver-1',
    },
    /** Replaces the records of a name; an empty list removes them. */
    setRecords: (name: string, type: DnsType, values: string[], onlyAt?: number): void => {
      settle();
      if (onlyAt === undefined) records.set(`${type} ${name}`, values);
      else partial.set(`${onlyAt} ${type} ${name}`, values);
      settle();
    },
    clearPartial: (): void => partial.clear(),
    setDown: (value: boolean): void => void (isDown = value),
    setResolversDown: (value: boolean): void => void (areResolversDown = value),
    setQuota: (value: number): void => void (allocated = value),
    setClock: (at: number): void => {
      // Advances in steps, because tries see the table as it is at their time.
      for (; now < at; now = Math.min(at, now + HOUR_MS)) settle();
      settle();
    },
    statusOf: (host: string): string =>
      [...hostnames.values()].find(({ hostname }) => hostname === host)?.status ?? 'none',
    respond: async (url: string, init: RequestInit = {}): Promise<Response> => {
      settle();
      const { pathname, searchParams } = new URL(url);
      const resolver = /^\/resolver-(\d)$/.exec(pathname)?.[1];
      if (resolver !== undefined) {
        const type = searchParams.get('type') ?? '';
        return type in DNS_TYPES
          ? resolve(Number(resolver), searchParams.get('name') ?? '', toDnsType(type))
          : new Response('unknown type', { status: 400 });
      }
      const method = init.method ?? 'GET';
      const path = pathname.replace(`/client/v4/zones/${zoneId}/custom_hostnames`, '');
      requests.push(`${method} ${path}`);
      if (isDown) return new Response(`down: ${token}`, { status: 503 });
      if (new Headers(init.headers).get('Authorization') !== `Bearer ${token}`)
        return envelope(403, null, { code: 10000, message: 'Authentication error' });
      return answerApi(method, path, searchParams, typeof init.body === 'string' ? init.body : '');
    },
  };
}

const toDnsType = (type: string): DnsType => {
  const known = Object.keys(DNS_TYPES).find((name): name is DnsType => name === type);
  if (known === undefined) throw new Error(`No such type of record: ${type}`);
  return known;
};

/** Ten tries in the first 20 minutes, then ever rarer, at most 4 hours apart. */
function triesAt(ageMs: number): number {
  let at = 0;
  let tries = 0;
  for (let pause = 2 * MINUTE_MS; at <= ageMs; at += pause) {
    tries += 1;
    if (tries >= 10) pause = Math.min(4 * HOUR_MS, pause * 1.5);
  }
  return tries;
}

const shown = ({ id, hostname, status, sslStatus }: Hostname) => ({
  id,
  hostname,
  status,
  ssl: { status: sslStatus, method: 'http', type: 'dv' },
  ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${hostname}`, value: id },
});

function envelope(
  status: number,
  result: unknown,
  error?: { code: number; message: string },
): Response {
  const errors = error === undefined ? [] : [error];
  return Response.json({ success: status < 300, result, errors, messages: [] }, { status });
}
