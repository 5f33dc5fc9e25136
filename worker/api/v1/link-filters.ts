import type { Context } from 'hono';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import type { LinkFilterInput } from '#contract/v1/v1-actions.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { requireKey } from '#worker/http/validate.ts';
import type { LinkSelection } from '#worker/links/list/select-links.ts';
import { parseTime } from '#worker/links/list/link-order.ts';
import { toSearchWords } from '#worker/links/words/words.ts';

type Flag = boolean | 'true' | 'false' | undefined;
type Given = Omit<LinkFilterInput, 'favorite' | 'archived'> & {
  favorite?: Flag;
  archived?: Flag;
  import?: string | undefined;
};

/** Converts the filters of a request, from its query or its body, for what the key may see. */
export function toLinkFilters(
  c: Context<ApiEnv>,
  {
    q = '',
    favorite,
    archived,
    host,
    domain,
    createdAfter,
    createdBefore,
    lastClickBefore,
    import: importId,
    ...filters
  }: Given,
): LinkSelection {
  const [domainId] = domain === undefined ? [] : domainIdsOf(requireKey(c).domains, domain);
  // No link is on a domain of somebody else.
  const isUnknown = domain !== undefined && domainId === undefined;
  return {
    ...filters,
    importId,
    domain: domainId,
    words: isUnknown ? null : q.trim() === '' ? [] : toSearchWords(q),
    codePrefix: requireKey(c).codePrefix,
    archived: isTrue(archived),
    favorite: favorite === undefined ? undefined : isTrue(favorite),
    host: host?.toLowerCase(),
    createdAfter: parseTime(createdAfter),
    createdBefore: parseTime(createdBefore),
    lastClickBefore: parseTime(lastClickBefore),
  };
}

const isTrue = (flag: Flag): boolean => flag === true || flag === 'true';
