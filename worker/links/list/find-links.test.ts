import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { call } from '#worker/testing/call.ts';
import { fillAccount, linkAt } from '#worker/testing/large-account.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';

const LINKS = 100_000;
type Sample = ReturnType<typeof linkAt>;

let member: Person;

const ALL = Array.from({ length: LINKS }, (_, at) => linkAt(at + 1));
const KEYS: Readonly<Record<string, (link: Sample) => number | string>> = {
  created: (link) => link.createdAt,
  clicks: (link) => link.clicks,
  last_click: (link) => link.lastClick,
  code: (link) => link.code,
};

/** The codes that a list has to have, in its order. */
function expected(sort: string, accepts: (link: Sample) => boolean): string[] {
  const key = KEYS[sort.replace('-', '')] ?? (() => 0);
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = (a: Sample, b: Sample): number => {
    const [x, y] = [key(a), key(b)];
    return sign * (x === y ? a.createdAt - b.createdAt : x < y ? -1 : 1);
  };
  return ALL.filter(accepts)
    .toSorted(compare)
    .map(({ code }) => code);
}

const kept = (link: Sample): boolean => !link.isArchived;
const FILTERS: [string, (link: Sample) => boolean][] = [
  ['', kept],
  ['status=archived', (link) => link.isArchived],
  ['status=active', (link) => kept(link) && !link.isDisabled && !link.isExpired],
  ['status=disabled', (link) => kept(link) && link.isDisabled],
  ['status=expired', (link) => kept(link) && link.isExpired],
  ['favorite=1', (link) => kept(link) && link.isFavorite],
  ['tag=Often', (link) => kept(link) && link.tags.includes('often')],
  ['tag=seldom', (link) => kept(link) && link.tags.includes('seldom')],
  ['host=h7.example', (link) => kept(link) && link.host === 'h7.example'],
  ['q=w123', (link) => kept(link) && link.words.startsWith('w123 ')],
  ['q=even1', (link) => kept(link) && link.words.endsWith('even1')],
  ['q=eve', kept],
  ['q=seld', (link) => kept(link) && link.tags.includes('seldom')],
  [
    'q=w12+even0&tag=often',
    (link) => kept(link) && /^w12\d? even0/.test(link.words) && link.tags.includes('often'),
  ],
  ['min_clicks=9900', (link) => kept(link) && link.clicks >= 9900],
  [
    'from=2025-01-01T00:00:00Z&to=2025-01-15T00:00:00Z',
    (link) =>
      kept(link) &&
      link.createdAt >= Date.parse('2025-01-01') &&
      link.createdAt < Date.parse('2025-01-15'),
  ],
  [
    'host=h8.example&tag=often&status=active',
    (link) =>
      kept(link) &&
      link.host === 'h8.example' &&
      link.tags.includes('often') &&
      !link.isDisabled &&
      !link.isExpired,
  ],
];
const SORTS = ['-clicks', 'last_click', 'code', 'created', 'clicks', '-last_click', '-code'];
/** What one request reads at most, for its page and for the caller's identity. */
const ROWS_MAX = 12_000;
/** For each link of a list that an index has as it is: the link, its totals, its tags. */
const ROWS_PER_LINK = 10;

describe('an account with 100,000 links', () => {
  beforeAll(async () => {
    member = await makePerson();
    const statements = fillAccount(member.id, LINKS);
    await env.DB.batch(
      statements.map(({ query, params }) => env.DB.prepare(query).bind(...params)),
    );
    // The figures above the list are counted once an hour.
    await call('/api/my-urls', { headers: member.headers });
  });

  it.each(FILTERS)(
    'lists ?%s in order and reads a bounded number of rows',
    async (filter, accepts) => {
      const at = FILTERS.findIndex(([other]) => other === filter);
      for (const sort of ['-created', SORTS[at % SORTS.length] ?? 'created']) {
        const codes = expected(sort, accepts);
        const wanted = Math.min(codes.length, 60);
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null && seen.length < wanted) {
          const counted = countRowsRead(env.DB);
          const path: string = `/api/my-urls?sort=${sort}&${filter}&cursor=${cursor}`;
          const response = await call(path, { headers: member.headers }, { DB: counted.db });
          const page: MyLinksResponse = await response.json();
          expect(counted.rowsRead(), path).toBeLessThan(
            accepts === kept && filter === '' ? ROWS_PER_LINK * page.urls.length : ROWS_MAX,
          );
          seen.push(...page.urls.map((link) => link.short_code));
          cursor = page.nextCursor;
        }
        expect(seen.slice(0, wanted), `${filter} ${sort}`).toEqual(codes.slice(0, wanted));
      }
    },
  );
});
