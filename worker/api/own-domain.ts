import type { Context } from 'hono';
import type { Domain } from '#contract/domains.ts';
import { changePages, describeDomains, type PageChange } from '#worker/account/own-domains.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { ApiError, apiError } from '#worker/http/errors.ts';
import { PAGE_MESSAGES } from '#worker/messages/domains.ts';

/** Throws 404 for a domain that the member cannot use. */
export async function requireDomain(
  c: Context<ApiEnv>,
  userId: string,
  name: string,
): Promise<Domain> {
  const found = (await describeDomains(requestContext(c), userId)).find(
    (domain) => domain.name === name,
  );
  if (found === undefined) throw apiError('not_own_domain');
  return found;
}

/** Changes pages of an own domain, and returns the domain for the answer. */
export async function savePages(
  c: Context<ApiEnv>,
  userId: string,
  name: string,
  change: PageChange,
): Promise<Domain> {
  const changed = await changePages(requestContext(c), userId, name, change);
  if (changed.ok) return requireDomain(c, userId, name);
  if (changed.reason === 'not_own_domain') throw apiError('not_own_domain');
  const { fault, page: field } = changed;
  throw new ApiError('invalid_target', PAGE_MESSAGES[fault], { field });
}
