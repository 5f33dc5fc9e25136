import { Hono, type Context } from 'hono';
import type { Domain } from '#contract/domains.ts';
import { PLANS } from '#contract/site.ts';
import {
  domainInputV1,
  domainPatchV1,
  type V1Domain,
  type V1DomainList,
} from '#contract/v1/v1-domains.ts';
import { describeDomains } from '#worker/account/own-domains.ts';
import { requireDomain, savePages } from '#worker/api/own-domain.ts';
import { addDomain, checkNow, deleteDomain } from '#worker/domains/saas/domain-requests.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { readJson, requireAccount, requireKey } from '#worker/http/validate.ts';

type C = Context<ApiEnv>;

export const domainsV1 = new Hono<ApiEnv>();

domainsV1.get('/domains', async (c) => {
  const { plan, domains, defaultDomain } = requireKey(c);
  const found = await describeDomains(requestContext(c), requireAccount(c, 'domains_with_prefix'));
  return c.json({
    data: found.map(toV1Domain),
    canAdd: readSaasSettings(c.env) !== null,
    limit: PLANS[plan].domains,
    defaultDomain: domains.get(defaultDomain) ?? '',
  } satisfies V1DomainList);
});

domainsV1.post('/domains', async (c) => {
  const userId = requireAccount(c, 'domains_with_prefix');
  const domain = await addDomain(c, userId, readJson(c, domainInputV1));
  return c.json(toV1Domain(domain), 201);
});

domainsV1.get('/domains/:domain', async (c) => {
  const userId = requireAccount(c, 'domains_with_prefix');
  return c.json(toV1Domain(await requireDomain(c, userId, nameIn(c))));
});

domainsV1.patch('/domains/:domain', async (c) => {
  const userId = requireAccount(c, 'domains_with_prefix');
  return c.json(toV1Domain(await savePages(c, userId, nameIn(c), readJson(c, domainPatchV1))));
});

domainsV1.post('/domains/:domain/check', async (c) =>
  c.json(toV1Domain(await checkNow(c, requireAccount(c, 'domains_with_prefix'), nameIn(c)))),
);

domainsV1.delete('/domains/:domain', async (c) => {
  const host = nameIn(c);
  await deleteDomain(c, requireAccount(c, 'domains_with_prefix'), { host, typed: host });
  return c.body(null, 204);
});

const nameIn = (c: C): string => (c.req.param('domain') ?? '').toLowerCase();

function toV1Domain(domain: Domain): V1Domain {
  const { isShared: shared, offeredUntil: _, ...others } = domain;
  return { ...others, shared };
}
