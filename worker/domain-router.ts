import { linkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { ROOT_FILES } from '#contract/pages/paths.ts';
import { countRemembered } from '#worker/metrics/counters.ts';
import type { createMeasure } from '#worker/metrics/measure-response.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { hostMemory } from '#worker/redirect/host-memory.ts';
import type { HostRecord } from '#worker/redirect/host-record.ts';
import { hostOfUrl, readPath, plainSpelling } from '#worker/redirect/read-url.ts';
import type { createRedirect, Visit } from '#worker/redirect/redirect.ts';

const rootFiles: ReadonlySet<string> = new Set(ROOT_FILES.map((name) => `/${name}`));
const COLON = 58;

/** The parts of the router that other hosts use, too. */
type Parts = ReturnType<typeof createRedirect> & {
  preview: (request: Request, env: Env, ctx: ExecutionContext, key: LinkKey) => Promise<Response>;
  respondMisdirected: (request: Request, env: Env) => Promise<Response>;
  respondHttpsOnly: (request: Request, secureOrigin: string) => Promise<Response>;
  measure: ReturnType<typeof createMeasure<Env>>;
};

/**
 * Creates the function that routes requests to hosts that are not the deployment's own. A domain
 * has only links and what `serveDomainHost` serves; an unknown host gets 421. Nothing is looked up
 * unless a setting allows further hosts.
 */
export function createDomainRouter(parts: Parts) {
  const { redirect, redirectFromMemory, preview, measure } = parts;
  const { respondMisdirected, respondHttpsOnly } = parts;

  function handleOtherHost(visit: Visit): Response | Promise<Response> {
    const { request, env, now } = visit;
    const host = hostOfUrl(visit.url);
    const { shared, hasMemberHosts } = configuredDomains(env);
    const isShared = shared.has(host);
    if (!isShared && !hasMemberHosts)
      return measure('other', respondMisdirected(request, env), visit);
    const known = hostMemory.get(host, now);
    if (known !== undefined) return handleDomain(visit, host, isShared, known);
    return findHost(visit, host, isShared).then((found) =>
      handleDomain(visit, host, isShared, found),
    );
  }

  function handleDomain(
    visit: Visit,
    host: string,
    isShared: boolean,
    record: HostRecord | null | 'down',
  ): Response | Promise<Response> {
    const { request, url, env, ctx } = visit;
    if (record === 'down') return measure('other', domainError(visit, 'down'), visit);
    // A host that its setting no longer allows waits with its links until the setting is back.
    if (record === null || record.s === 'x' || !isAllowed(env, record, isShared))
      return measure('other', respondMisdirected(request, env), visit);
    if (url.charCodeAt(4) === COLON && configuredOrigins(env).app?.protocol === 'https:')
      return measure('other', respondHttpsOnly(request, `https://${host}`), visit);
    if (record.s === 's') return measure('other', domainError(visit, 'suspended'), visit);
    const path = readPath(url);
    const keyOnDomain = (text: string): LinkKey => linkKey(record.d, text.slice(1));
    const remembered = redirectFromMemory(visit, keyOnDomain(path));
    if (remembered !== null) {
      countRemembered();
      return remembered;
    }
    // No code has a dot.
    if (path === '/' || path.startsWith('/.well-known/') || rootFiles.has(path))
      return measure('/{page}', domainSite(visit, record), visit);
    const codePath = plainSpelling(path);
    if (codePath.endsWith('+')) {
      const key = keyOnDomain(codePath.slice(0, -1));
      return measure('/{code}+', preview(request, env, ctx, key), visit);
    }
    const onDomain = { ...visit, notFoundUrl: record.n };
    return measure('/{code}', redirect(onDomain, keyOnDomain(codePath)), visit);
  }

  return handleOtherHost;
}

/** A member's host stays theirs when SHORT_HOSTS names it, too. */
const isAllowed = (env: Env, { o }: HostRecord, isShared: boolean): boolean =>
  o === 1 ? isShared : configuredDomains(env).hasMemberHosts;

async function findHost(
  { request, env, ctx, now }: Visit,
  host: string,
  isShared: boolean,
): Promise<HostRecord | null | 'down'> {
  const { resolveHost } = await import('#worker/redirect/resolve-host.ts');
  const lookup = {
    request,
    env,
    now,
    waitUntil: (work: Promise<unknown>): void => ctx.waitUntil(work),
    async backfill(missing: string) {
      const { publishHosts } = await import('#worker/edge/publish-hosts.ts');
      await publishHosts(env, [missing], now);
    },
  };
  const found = await resolveHost(host, lookup);
  // The first request to a host that SHORT_HOSTS has just named.
  if (isShared && found !== 'down' && (found === null || found.s === 'x')) {
    const { syncSharedHosts } = await import('#worker/domains/sync-shared-hosts.ts');
    if ((await syncSharedHosts(env, now).catch(() => 0)) > 0) return resolveHost(host, lookup);
  }
  return found;
}

async function domainError({ request, env }: Visit, why: 'down' | 'suspended'): Promise<Response> {
  const { errorPage } = await import('#worker/redirect/error-page.ts');
  return errorPage(request, env, { why });
}

async function domainSite(visit: Visit, record: HostRecord): Promise<Response> {
  const { serveDomainHost } = await import('#worker/site/serve-domain-host.ts');
  return serveDomainHost(visit, record);
}
