import { Hono, type Context } from 'hono';
import {
  defaultDomainRequest,
  domainChange,
  type DomainDetail,
  type DomainsResponse,
} from '#contract/domains.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { PLANS } from '#contract/site.ts';
import { setDefaultDomain } from '#worker/domains/change-domain.ts';
import { listOffers } from '#worker/domains/saas/describe-domains.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { findDomainId, findUsableDomain } from '#worker/domains/usable-domain.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { queryClicks } from '#worker/reports/query-clicks.ts';
import { countSelectedLinks } from '#worker/links/list/select-links.ts';
import { describeDomains } from '#worker/account/own-domains.ts';
import { requireDomain, savePages } from './own-domain.ts';

type C = Context<ApiEnv>;

/** The domains of a member: their own, and those of the operator. */
export const domainRoutes = new Hono<ApiEnv>();

domainRoutes.get('/domains', async (c) => {
  const { id: userId, defaultDomain } = requireMember(c);
  const plan = await readPlan(c.get('db'), userId, c.get('now'));
  return c.json({
    domains: await describeDomains(requestContext(c), userId),
    canAdd: readSaasSettings(c.env) !== null,
    limit: PLANS[plan].domains,
    defaultDomain: c.get('origins').domains.get(defaultDomain) ?? '',
    offers: await listOffers(c.get('db'), userId, c.get('now')),
  } satisfies DomainsResponse);
});

domainRoutes.put('/domains/default', async (c) => {
  const { name } = readJson(c, defaultDomainRequest);
  const { id: userId } = await limitWrites(c);
  const db = c.get('db');
  const found = await findUsableDomain(db, userId, name);
  const values = { domain: name };
  if (!found.ok) throw linkError({ ...found, values }, c.get('now'));
  if (!(await setDefaultDomain(db, userId, found.id)))
    throw linkError({ ok: false, reason: 'unknown_domain', values }, c.get('now'));
  return c.json({ defaultDomain: name.toLowerCase() } satisfies Partial<DomainsResponse>);
});

domainRoutes.get('/domains/:name', async (c) => {
  const domain = await requireDomain(c, requireMember(c).id, nameOf(c));
  return c.json({ ...domain, ...(await countUse(c, domain.name)) } satisfies DomainDetail);
});

domainRoutes.patch('/domains/:name', async (c) => {
  const change = readJson(c, domainChange);
  const { id: userId } = await limitWrites(c);
  return c.json(await savePages(c, userId, nameOf(c), change));
});

const nameOf = (c: C): string => (c.req.param('name') ?? '').toLowerCase();

/** How many links the member has on a domain, and their clicks of the last 30 days. */
async function countUse(c: C, name: string): Promise<Pick<DomainDetail, 'links' | 'clicks30Days'>> {
  const db = c.get('db');
  const now = c.get('now');
  const { id: userId } = requireMember(c);
  const id = await findDomainId(db, userId, name);
  if (id === null) return { links: 0, clicks30Days: 0 };
  const filters = { words: [], codePrefix: '', domain: id };
  const counts = await Promise.all(
    [false, true].map((archived) =>
      countSelectedLinks(db, { ...filters, archived }, { userId, max: COUNTED_MAX, now }),
    ),
  );
  const today = dayNumber(now);
  const counted = await queryClicks(db, {
    userId,
    codePrefix: '',
    domains: [id],
    ids: null,
    tagIds: null,
    host: null,
    groupBy: 'day',
    interval: null,
    wanted: { first: today - 29, last: today },
    filters: {},
    now,
  });
  return {
    links: counts.reduce((sum, { links }) => sum + links, 0),
    clicks30Days: counted.ok ? counted.totals.clicks : 0,
  };
}

/** More links than these are not counted. */
const COUNTED_MAX = 10_000;
