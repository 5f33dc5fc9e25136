import { ACCOUNT, json, type Route } from './fake-reply.ts';
import type { FakeAccount } from './fake-account.ts';

const NAMESPACE = `${ACCOUNT}/storage/kv/namespaces/([^/]+)`;
/** Small, so that lists have several pages. The platform's pages have 10 keys at least. */
const KEYS_PER_PAGE = 10;

type Pair = { key: string; value: string; base64?: boolean; metadata?: unknown };

function valuesOf({ values }: FakeAccount, id: string) {
  const known = values.get(id) ?? new Map<string, { value: Buffer; metadata?: unknown }>();
  values.set(id, known);
  return known;
}

/** https://developers.cloudflare.com/api/resources/kv/subresources/namespaces/ */
export const KV_ROUTES: Route[] = [
  [
    'PUT',
    `${NAMESPACE}/bulk`,
    (account, [id = ''], request) => {
      const pairs: Pair[] = json(request);
      for (const { key, value, base64, metadata } of pairs)
        valuesOf(account, id).set(key, {
          value: Buffer.from(value, base64 === true ? 'base64' : 'utf8'),
          metadata,
        });
      return { result: { successful_key_count: pairs.length, unsuccessful_keys: [] } };
    },
  ],
  [
    'POST',
    `${NAMESPACE}/bulk/delete`,
    (account, [id = ''], request) => {
      const keys: string[] = json(request);
      for (const key of keys) valuesOf(account, id).delete(key);
      return { result: { successful_key_count: keys.length, unsuccessful_keys: [] } };
    },
  ],
  [
    'GET',
    `${NAMESPACE}/keys`,
    (account, [id = ''], { query }) => {
      const prefix = query.get('prefix') ?? '';
      const all = [...valuesOf(account, id)].filter(([key]) => key.startsWith(prefix));
      const at = Number(query.get('cursor') ?? 0);
      const page = all.slice(at, at + KEYS_PER_PAGE);
      const next = at + KEYS_PER_PAGE;
      return {
        result: page.map(([name, { metadata }]) => ({ name, metadata })),
        result_info: { count: page.length, cursor: next < all.length ? String(next) : '' },
      };
    },
  ],
];
