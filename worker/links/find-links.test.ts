import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MyLinksResponse } from '#contract/links.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';

const LINKS = 100_000;
const HOUR_MS = 3_600_000;
const START = Date.parse('2020-01-01T00:00:00Z');

/** The link number `i` of the large account, as the statements below write it. */
const linkAt = (i: number) => ({
  code: `big-${String(i).padStart(6, '0')}`,
  host: `h${i % 40}.example`,
  clicks: (i * 7919) % 10_007,
  lastClick: (i * 31) % 50_021,
  createdAt: START + i * HOUR_MS,
  words: `w${i % 997} even${i % 2}`,
  isDisabled: i % 90 === 0,
  isExpired: i % 90 !== 0 && i % 70 === 0,
  isFavorite: i % 3000 === 0,
  isArchived: i % 10 === 9,
  tags: [...(i % 4 === 0 ? ['often'] : []), ...(i % 8000 === 0 ? ['seldom'] : [])],
});
type Sample = ReturnType<typeof linkAt>;

let member: Person;

async function insertMany(userId: string): Promise<void> {
  const tag = async (name: string): Promise<number> =>
    (await env.DB.prepare(`INSERT INTO tags (user_id, name, color, created_at) VALUES (?1, ?2, 'blue', 0) RETURNING id`)
      .bind(userId, name)
      .first<number>('id')) ?? 0;
  const [often, seldom] = [await tag('often'), await tag('seldom')];
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
       INSERT INTO links (code, is_alias, target, target_host, user_id, status, disabled_by, expires_at, created_at, updated_at, favorite,
         archived, words, ranked_clicks, ranked_last_click_at)
       SELECT printf('big-%06d', i), 0, 'https://h' || (i % 40) || '.example/', 'h' || (i % 40) || '.example', ?1,
         iif(i % 90 = 0, 'disabled', 'active'), iif(i % 90 = 0, 'owner', NULL), iif(i % 70 = 0, 5, NULL),
         ${START} + i * ${HOUR_MS}, 0, i % 3000 = 0, i % 10 = 9, ' w' || (i % 997) || ' even' || (i % 2),
         (i * 7919) % 10007, (i * 31) % 50021 FROM seq`,
    ).bind(userId, LINKS),
    env.DB.prepare(
      `INSERT INTO link_words (user_id, word, link_id)
       SELECT user_id, 'w' || (substr(code, 5) % 997), id FROM links WHERE user_id = ?1
       UNION ALL SELECT user_id, 'even' || (substr(code, 5) % 2), id FROM links WHERE user_id = ?1`,
    ).bind(userId),
    env.DB.prepare(
      `INSERT INTO link_tags (link_id, tag_id, link_created_at)
       SELECT id, ?2, created_at FROM links WHERE user_id = ?1 AND substr(code, 5) % 4 = 0
       UNION ALL SELECT id, ?3, created_at FROM links WHERE user_id = ?1 AND substr(code, 5) % 8000 = 0`,
    ).bind(userId, often, seldom),
  ]);
}

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
  ['q=w12+even0&tag=often', (link) => kept(link) && /^w12\d? even0/.test(link.words) && link.tags.includes('often')],
  ['min_clicks=9900', (link) => kept(link) && link.clicks >= 9900],
  [
    'from=2025-01-01T00:00:00Z&to=2025-01-15T00:00:00Z',
    (link) => kept(link) && link.createdAt >= Date.parse('2025-01-01') && link.createdAt < Date.parse('2025-01-15'),
  ],
  [
    'host=h8.example&tag=often&status=active',
    (link) => kept(link) && link.host === 'h8.example' && link.tags.includes('often') && !link.isDisabled && !link.isExpired,
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
    await insertMany(member.id);
    // The figures above the list are counted once an hour.
    await call('/api/my-urls', { headers: member.headers });
  });

  it.each(FILTERS)('lists ?%s in order and reads a bounded number of rows', async (filter, accepts) => {
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
        cursor = page.next_cursor;
      }
      expect(seen.slice(0, wanted), `${filter} ${sort}`).toEqual(codes.slice(0, wanted));
    }
  });
});
