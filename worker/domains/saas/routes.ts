import { Hono, type Context } from 'hono';
import { domainRemoval, domainTransfer, newDomainRequest } from '#contract/domains.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson } from '#worker/http/validate.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import {
  addDomain,
  checkNow,
  deleteDomain,
  describe,
  limitReached,
  mail,
  publish,
} from './domain-requests.ts';
import { acceptDomain, endOffer, offerDomain } from './transfer-domain.ts';

/** Routes by which members bring, check, delete and transfer their own domains. */
export const memberDomainRoutes = new Hono<ApiEnv>();

memberDomainRoutes.post('/domains', async (c) => {
  const request = readJson(c, newDomainRequest);
  const { id } = await limitWrites(c);
  return c.json(await addDomain(c, id, request), 201);
});

memberDomainRoutes.post('/domains/:name/check', async (c) => {
  const { id } = await limitWrites(c);
  return c.json(await checkNow(c, id, hostParam(c)));
});

memberDomainRoutes.delete('/domains/:name', async (c) => {
  const { name } = readJson(c, domainRemoval);
  const { id } = await limitWrites(c);
  await deleteDomain(c, id, { host: hostParam(c), typed: name });
  return c.json({ success: true });
});

memberDomainRoutes.post('/domains/:name/transfer', async (c) => {
  const { email } = readJson(c, domainTransfer);
  const owner = await limitWrites(c);
  const host = hostParam(c);
  const offer = { ownerId: owner.id, host, email };
  const offered = await offerDomain(c.get('db'), offer, c.get('now'));
  if (!offered.ok) {
    if (offered.reason === 'too_many_offers') throw apiError('too_many_domain_offers');
    if (offered.reason === 'offers_yourself') throw apiError('domain_offered_to_yourself');
    throw apiError('not_own_domain');
  }
  if (offered.receiver !== null)
    mail(c, offered.receiver, MAILS.domainOffered(displayHost(host), owner.email));
  return c.json({ success: true });
});

memberDomainRoutes.post('/domains/:name/transfer/accept', async (c) => {
  const user = await limitWrites(c);
  const host = hostParam(c);
  const accepted = await acceptDomain(c.get('db'), { userId: user.id, host }, c.get('now'));
  if (!accepted.ok)
    throw accepted.reason === 'domain_limit'
      ? await limitReached(c, user.id)
      : apiError('unknown_domain_offer');
  publish(c, [host]);
  mail(c, accepted.formerOwner, MAILS.domainTransferred(displayHost(host), user.email));
  return c.json(await describe(c, user.id, host));
});

memberDomainRoutes.delete('/domains/:name/transfer', async (c) => {
  const { id } = await limitWrites(c);
  if (!(await endOffer(c.get('db'), id, hostParam(c)))) throw apiError('unknown_domain_offer');
  return c.json({ success: true });
});

const hostParam = (c: Context<ApiEnv>): string => (c.req.param('name') ?? '').toLowerCase();
