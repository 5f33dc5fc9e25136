import { randomUUID } from 'node:crypto';
import { FREE_PLAN_BATCH } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { toEdgeRecord } from '#worker/redirect/edge-record.ts';
import type { Product, Sent } from './cpu-product.ts';

/**
 * A kind of work. `run` does it for the `n`th time and throws if it fails. `times`: how often it is
 * done, where that is not the default.
 */
export type Kind = { name: string; times?: number; run: (n: number) => Promise<void> };

const LINKS = 2_000;
/** The link whose report is read: clicked on each of the last days, from many places. */
const CLICKED = codeOf(1);
const CLICKED_DAYS = 14;
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
];

function codeOf(id: number): string {
  return `c${String(id).padStart(5, '0')}`;
}

/**
 * Fills the database: a member on Premium with links, one of them clicked, an administrator and a
 * post. Returns what can be measured.
 */
export async function prepare(product: Product): Promise<Kind[]> {
  const { send, sql } = product;
  const now = Date.now();
  const [owner, admin] = [randomUUID(), randomUUID()];
  for (const [id, role] of [
    [owner, 'user'],
    [admin, 'admin'],
  ] as const) {
    await sql(
      `INSERT INTO users (id, email, role, created_at, last_seen_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
      id,
      `${role}@example.com`,
      role,
      now,
    );
    await sql(
      `INSERT INTO subscriptions (user_id, plan, monthly_limit, cycle_anchor, billing_cycle_start, updated_at) VALUES (?1, 'premium', 1000000, ?2, ?2, ?2)`,
      id,
      now,
    );
  }
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LINKS})
     INSERT INTO links (id, code, target, target_host, title, user_id, created_at, updated_at)
     SELECT i, 'c' || printf('%05d', i), 'https://example.com/landing/' || i, 'example.com', 'Landing page ' || i, ?1, ?2 + i, ?2 + i FROM n`,
    owner,
    now - 60 * DAY_MS,
  );
  await sql(
    `INSERT INTO posts (slug, title, content, published, created_at, updated_at, published_at) VALUES ('a-post', 'A post', ?1, 1, ?2, ?2, ?2)`,
    'A paragraph of a post that is as long as most.\n\n'.repeat(60),
    now,
  );
  for (let id = 1; id <= LINKS / 2; id++)
    await product.put(
      codeOf(id),
      JSON.stringify(
        toEdgeRecord({
          id,
          target: `https://example.com/landing/${id}`,
          status: 'active',
          disabled_reason: null,
          expires_at: null,
          forward_params: '',
          version: 1,
        }),
      ),
    );
  for (let minute = 0; minute < 5; minute++) await product.cron(now - (5 - minute) * 60_000);
  for (let day = CLICKED_DAYS; day >= 0; day--)
    for (let part = 0; part < 4; part++)
      await product.deliver([
        windowOf(
          Array.from({ length: 100 }, (_, i) =>
            clickOf(1, now - day * DAY_MS - part * 2 * HOUR_MS, i),
          ),
        ),
      ]);

  const member = { headers: await product.signIn(owner, 'user@example.com') };
  const administrator = { headers: await product.signIn(admin, 'admin@example.com') };
  const keyAnswer = await send('/api/keys', {
    method: 'POST',
    ...member,
    body: { name: 'bench', scopes: ['links:read', 'links:create', 'analytics:read'] },
  });
  if (keyAnswer.status !== 201) throw new Error(keyAnswer.text);
  const key: { key: string } = JSON.parse(keyAnswer.text);
  const program = { headers: { Authorization: `Bearer ${key.key}` } };

  const request = (
    name: string,
    status: number,
    path: (n: number) => string,
    sent: (n: number) => Sent = () => ({}),
    times?: number,
  ): Kind => ({
    name,
    ...(times !== undefined && { times }),
    run: async (n) => {
      const answer = await send(path(n), sent(n));
      if (answer.status !== status)
        throw new Error(`${name} was answered with ${answer.status}: ${answer.text.slice(0, 300)}`);
    },
  });
  const post =
    (body: (n: number) => unknown, from: Sent = {}) =>
    (n: number): Sent => ({ ...from, method: 'POST', body: body(n) });
  const urls = (count: number, n: number) =>
    Array.from({ length: count }, (_, i) => `https://example.com/bulk/${n}/${i}`);
  /** Of 1,500 links, so that a round of 30 requests changes each of them once. */
  const fifty = (n: number) =>
    Array.from({ length: 50 }, (_, i) => codeOf(300 + (n % 30) * 50 + i));
  const batch = (name: string, clicksPerMessage: number, linkOf: (i: number) => number): Kind => ({
    name,
    run: (n) =>
      product.deliver(
        Array.from({ length: FREE_PLAN_BATCH }, (_, m) =>
          windowOf(
            Array.from({ length: clicksPerMessage }, (_click, i) =>
              clickOf(linkOf(n * FREE_PLAN_BATCH + m + i), Date.now(), i),
            ),
          ),
        ),
      ),
  });

  return [
    request('nothing but HTTP: `GET /api/health`', 200, () => '/api/health'),
    request('redirect, link in the isolate’s memory', 302, () => `/${CLICKED}`),
    request('redirect, link in KV', 302, (n) => `/${codeOf(2 + n)}`),
    request('redirect, link in D1 only', 302, (n) => `/${codeOf(LINKS / 2 + 1 + n)}`),
    request('unknown code', 404, (n) => `/unknown${n}`),
    request('preview', 200, (n) => `/${codeOf(2 + n)}+`),
    request('Home', 200, () => '/'),
    request('My URLs, the page', 200, () => '/dashboard'),
    request('a post', 200, () => '/blog/a-post'),
    request('picture of a post', 200, () => '/blog/a-post/picture.png'),
    request(
      'shorten, visitor',
      201,
      () => '/api/shorten',
      post((n) => ({ longUrl: `https://example.com/visitor/${n}` })),
    ),
    request(
      'shorten, member, own alias',
      201,
      () => '/api/shorten',
      post((n) => ({ longUrl: `https://example.com/${n}`, customCode: `own-${n}` }), member),
    ),
    request(
      'shorten 50 at once',
      201,
      () => '/api/shorten/bulk',
      post((n) => ({ longUrls: urls(50, n) }), member),
      40,
    ),
    request(
      'edit a link',
      200,
      (n) => `/api/links/${codeOf(2 + n)}`,
      (n) => ({ ...member, method: 'PATCH', body: { longUrl: `https://example.com/edited/${n}` } }),
    ),
    request(
      'archive 50 links at once',
      200,
      () => '/api/links/actions',
      post(
        (n) => ({
          codes: fifty(n),
          action: Math.floor(n / 30) % 2 === 0 ? 'archive' : 'unarchive',
        }),
        member,
      ),
      30,
    ),
    request(
      '`GET /api/me`',
      200,
      () => '/api/me',
      () => member,
    ),
    request(
      'list of links, 50 rows',
      200,
      () => '/api/my-urls',
      () => member,
    ),
    request(
      'list of links, search',
      200,
      (n) => `/api/my-urls?search=landing+${n}`,
      () => member,
    ),
    request(
      'report, 30 days',
      200,
      () => `/api/analytics/${CLICKED}?range=30d`,
      () => member,
    ),
    request(
      'report, all time',
      200,
      () => `/api/analytics/${CLICKED}?range=all`,
      () => member,
    ),
    request(
      'export of a report',
      200,
      () => `/api/analytics/${CLICKED}/export?range=30d&format=csv`,
      () => member,
    ),
    request('QR code', 200, (n) => `/api/qr/${codeOf(2 + n)}`),
    request(
      'export of an account with 2,000 links and more',
      200,
      () => '/api/account/export',
      () => member,
      20,
    ),
    request(
      'links as CSV, 2,000 and more',
      200,
      () => '/api/account/links.csv',
      () => member,
      20,
    ),
    request(
      'system page',
      200,
      () => '/api/admin/system',
      () => administrator,
    ),
    request(
      'admin statistics',
      200,
      () => '/api/admin?action=stats',
      () => administrator,
    ),
    request(
      'API: create a link',
      201,
      () => '/api/v1/links',
      post((n) => ({ url: `https://example.com/api/${n}` }), program),
    ),
    request(
      'API: list, 100 links',
      200,
      () => '/api/v1/links?limit=100',
      () => program,
    ),
    request(
      'API: analytics',
      200,
      () => '/api/v1/links/1/analytics',
      () => program,
    ),
    batch(
      `batch of ${FREE_PLAN_BATCH} messages, each with a click on a different link`,
      1,
      (i) => 1 + (i % LINKS),
    ),
    batch(
      `batch of ${FREE_PLAN_BATCH} messages, 20 clicks of 20 links each`,
      20,
      (i) => 1 + (i % LINKS),
    ),
    batch(`batch of ${FREE_PLAN_BATCH} messages, 100 clicks of one link each`, 100, () => 1),
  ];
}

function clickOf(link: number, t: number, i: number): ClickEvent {
  return {
    l: link,
    t: Math.min(t, Date.now()),
    ua: AGENTS[i % AGENTS.length] ?? '',
    r: i % 3 === 0 ? '' : `site${i % 12}.example`,
    c: ['IN', 'DE', 'US', 'BR'][i % 4] ?? '',
    g: `R${i % 9}`,
    y: `City ${i % 30}`,
    k: `visitor-${i % 60}`,
  };
}

const windowOf = (e: ClickEvent[]) => ({ body: { v: 1, id: randomUUID(), e } });
