import { sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import { jsonList, jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import {
  webhook_click_windows,
  webhook_deliveries,
  webhook_endpoints,
} from '#worker/db/schema-api.ts';
import { links } from '#worker/db/schema-links.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { countWanted, withinDay } from './delivery-allowance.ts';
import { hasWantedTag, newMessageId, sequenceOf } from './record-link-events.ts';

/** How long the clicks on a link are added up before they are sent. */
const COLLECT_MS = MINUTE_MS;

/** The condition of the partial index on the endpoints, which must appear literally. */
const WANTS_CLICKS: SQL = sql`instr(events, 'link.clicked') > 0 and disabled_at is null`;

/** The clicks of a window on a link. `first` and `last` in ms. */
type ClickSum = {
  window_id: string;
  link_id: number;
  clicks: number;
  first: number;
  last: number;
};

/**
 * Adds the clicks of people in these windows to deliveries of `link.clicked`, and counts each
 * window once even if the queue delivers it again. Clicks that would start a delivery beyond the
 * owner's daily limit are dropped. While no endpoint wants clicks, this costs one read of an empty
 * index. Throws if D1 fails; calling again with the same windows is always safe.
 */
export async function recordClicks(
  database: D1Database,
  windows: readonly ClickWindow[],
  now: number,
): Promise<void> {
  const db = openDb(database);
  const wantedLinks = await findWanted(db, windows);
  if (wantedLinks.size === 0) return;
  const clicks = sumClicks(windows, wantedLinks);
  if (clicks.length === 0) return;
  const rows = jsonRows(['window_id', 'link_id', 'clicks', 'first', 'last'], clicks);
  const attempt = crypto.randomUUID();
  // Only windows that this delivery has added below: another delivery may have added the rest.
  const sums = sql`select link_id, sum(clicks) as clicks, min(first) as first, max(last) as last
    from ${rows} as item join ${webhook_click_windows} as seen
      on seen.id = item.window_id and seen.attempt = ${attempt}
    group by 1`;
  await runBatch(db, [
    sql`insert or ignore into ${webhook_click_windows} (id, attempt, seen_at)
      select distinct window_id, ${attempt}, ${now} from ${rows}`,
    countWanted(sql`select * from (${pairsOf(sql`(${sums})`)}) where not is_collecting`, now),
    sql`with sums as (${sums}), pairs as (${pairsOf(sql`sums`)})
      insert into ${webhook_deliveries} (endpoint_id, message_id, link_id, type, sequence, data, status, due_at, created_at)
      select fits.endpoint_id, ${newMessageId}, link.id, 'link.clicked', ${sequenceOf(sql`link`)},
        json_object('code', link.code, 'externalId', link.external_id, 'clicks', sum.clicks, 'from', sum.first, 'to', sum.last),
        'collecting', ${now + COLLECT_MS}, ${now}
      from (select endpoint_id, link_id from pairs where is_collecting
        union all ${withinDay(sql`select * from pairs where not is_collecting`, now)}) as fits
      cross join sums as sum on sum.link_id = fits.link_id cross join ${links} as link on link.id = fits.link_id
      where true
      on conflict (endpoint_id, link_id) where status = 'collecting' do update set data = json_set(data,
        '$.clicks', data ->> '$.clicks' + (excluded.data ->> '$.clicks'),
        '$.from', min(data ->> '$.from', excluded.data ->> '$.from'),
        '$.to', max(data ->> '$.to', excluded.data ->> '$.to'))`,
  ]);
}

/**
 * Returns a query for the endpoints that want the clicks on these links, and whether they have a
 * delivery that is still collecting clicks.
 */
const pairsOf = (sums: SQL): SQL => sql`select e.id as endpoint_id, e.user_id, link.id as link_id,
    exists (select 1 from ${webhook_deliveries} as other
      where other.endpoint_id = e.id and other.link_id = link.id and other.status = 'collecting') as is_collecting
  from ${sums} as sum cross join ${links} as link on link.id = sum.link_id
  cross join ${webhook_endpoints} as e on e.user_id = link.user_id and instr(e.events, 'link.clicked') > 0 and e.disabled_at is null
    and ${hasWantedTag(sql`link.id`)}`;

/** Returns the links in these windows whose owner has an endpoint that wants clicks. */
async function findWanted(db: Db, windows: readonly ClickWindow[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(windows.flatMap(({ e }) => e.map(({ l }) => l)))];
  const rows = await db.all<{ id: number }>(
    sql`select link.id from ${jsonList(ids)} as item cross join ${links} as link on link.id = item.value
      where exists (select 1 from ${webhook_endpoints} where ${WANTS_CLICKS})
        and exists (select 1 from ${webhook_endpoints} where user_id = link.user_id and ${WANTS_CLICKS})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Adds up the clicks of people by window and link. */
function sumClicks(windows: readonly ClickWindow[], wanted: ReadonlySet<number>): ClickSum[] {
  const parse = createUserAgentParser();
  const sums = new Map<string, ClickSum>();
  // The queue may deliver a window twice in one batch.
  for (const window of new Map(windows.map((one) => [one.id, one])).values())
    for (const { l: link, t, p, ua } of window.e) {
      if (!wanted.has(link) || p === 1 || parse(ua).bot) continue;
      const key = `${window.id} ${link}`;
      const sum = getOrCreate(sums, key, () => ({
        window_id: window.id,
        link_id: link,
        clicks: 0,
        first: t,
        last: t,
      }));
      sum.clicks += 1;
      sum.first = Math.min(sum.first, t);
      sum.last = Math.max(sum.last, t);
    }
  return [...sums.values()];
}
