import { HEALTH_STATES } from '#contract/links/watch.ts';
import type { paths } from './api.d.ts';
import { dataOf, type ApiLink, type HopClient } from './client.ts';
import type { Call } from './command.ts';
import { optionsOf, queryIn, type QueryOptions } from './query-options.ts';
import { request } from './request.ts';

type Query = NonNullable<paths['/links']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'limit' | 'cursor' | 'sort'>;
export type Filters = Pick<Query, Filter>;

/** The most links that one request returns. */
const PAGE_MAX = 100;
const STATUSES = ['active', 'disabled', 'expired'] as const satisfies readonly Query['status'][];

/** Every filter of GET /links with its option. */
const FILTERS: QueryOptions<Filter> = {
  q: { option: 'query', short: 'q', value: 'TEXT', text: 'links with words that begin like this' },
  status: { option: 'status', value: 'STATUS', text: 'links in this state', choices: STATUSES },
  tag: { option: 'tag', short: 't', value: 'NAME', text: 'links with this tag' },
  health: {
    option: 'health',
    value: 'STATE',
    text: 'watched links whose destination is in this state',
    choices: HEALTH_STATES,
  },
  host: { option: 'host', value: 'HOST', text: 'links to this host' },
  domain: { option: 'domain', value: 'HOST', text: 'links on this domain' },
  favorite: { option: 'favorite', isNegatable: true, text: 'favorites, or all others' },
  archived: { option: 'archived', text: 'archived links instead of the others' },
  createdAfter: { option: 'created-after', value: 'TIME', text: 'links made after this time' },
  createdBefore: { option: 'created-before', value: 'TIME', text: 'links made before this time' },
  minClicks: { option: 'min-clicks', value: 'N', min: 0, text: 'links with at least N clicks' },
  maxClicks: { option: 'max-clicks', value: 'N', min: 0, text: 'links with at most N clicks' },
  lastClickBefore: {
    option: 'last-click-before',
    value: 'TIME',
    text: 'links that nobody has clicked since',
  },
  import: { option: 'import', value: 'ID', text: 'links of this import' },
};

export const FILTER_OPTIONS = optionsOf(FILTERS);

export function filtersIn(call: Call): Filters;
export function filtersIn(call: Call): object {
  return queryIn(FILTERS, call);
}

/** Reads pages of links until `limit` links or the end. Calls `onPage` with the links so far. */
export async function readPages(
  client: HopClient,
  { limit, ...query }: Omit<Query, 'limit'> & { limit: number },
  onPage: (links: number) => void,
) {
  const data: ApiLink[] = [];
  let { cursor } = query;
  let previousCursor: string | null = null;
  for (;;) {
    const page = await request(() =>
      dataOf(
        client.GET('/links', {
          params: {
            query: {
              ...query,
              limit: Math.min(limit - data.length, PAGE_MAX),
              ...(cursor === undefined ? {} : { cursor }),
            },
          },
        }),
      ),
    );
    data.push(...page.data);
    previousCursor ??= page.previousCursor;
    onPage(data.length);
    if (page.nextCursor === null || data.length >= limit)
      return { data, nextCursor: page.nextCursor, previousCursor };
    cursor = page.nextCursor;
  }
}
