import { Hono } from 'hono';
import type { V1History } from '#contract/v1/v1-history.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { domainNameOf } from '#worker/http/short-url.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { requireKey } from '#worker/http/validate.ts';
import { readHistory, type LinkSnapshot } from '#worker/links/read/link-history.ts';
import { HISTORY, showSettings } from '#worker/links/settings/link-settings.ts';
import { requireLink } from './link-json.ts';

export const historyV1 = new Hono<ApiEnv>();

historyV1.get('/links/:id/history', async (c) => {
  const { userId, codePrefix } = requireKey(c);
  const changes = await readHistory(c.get('db'), userId, await requireLink(c));
  const codes = changes.map(({ before }) => before.code);
  const origins = await nameDomains(c.get('db'), c.get('origins'), codes);
  return c.json({
    data: changes.map(({ at, keyName, isByWatcher, before, after, isPasswordReplaced }) => ({
      at: new Date(at).toISOString(),
      keyName: keyName === '' || codePrefix !== '' ? null : keyName,
      byWatcher: isByWatcher,
      passwordReplaced: isPasswordReplaced,
      before: toState(before, origins),
      after: toState(after, origins),
    })),
  } satisfies V1History);
});

const toState = (
  state: LinkSnapshot,
  origins: ShortOrigins,
): V1History['data'][number]['before'] => ({
  code: state.code,
  domain: domainNameOf(origins, state.code),
  url: state.target,
  status: state.status,
  ...showSettings(state, HISTORY),
  cardUpdatedAt: state.cardAt === null ? null : new Date(state.cardAt).toISOString(),
  tags: state.tags,
});
