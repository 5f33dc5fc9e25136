import { linkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { CompareResponse } from '#contract/reports/overview.ts';
import { utcDate } from '#contract/reports/periods.ts';
import { dayNumbersOf, daysOfPeriod, type Period } from '#contract/reports/ranges.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { domainIdsOf, type DomainNames } from '#worker/db/domain-names.ts';
import { readOwnLink } from '#worker/links/read/own-link.ts';
import { listTags } from '#worker/tags/tags.ts';
import { queryClicks, type Entry } from './query-clicks.ts';

type Series = CompareResponse['series'][number];
/**
 * What is compared, in the order of the request: links by key, or on a domain by `host/code`, or
 * tags by name.
 */
export type Compared = { links: readonly string[] } | { tags: readonly string[] };
type Options = { userId: string; domains: DomainNames; period: Period; now: number };

export type CompareResult =
  | { ok: true; body: CompareResponse }
  | { ok: false; reason: 'not_own_link' | 'too_many_clicked_links' | 'period_not_kept' };

/** The clicks on some links, or on the links with some tags, by day. */
export async function compareClicks(
  db: Db,
  compared: Compared,
  { userId, domains, period, now }: Options,
): Promise<CompareResult> {
  const subjects =
    'links' in compared
      ? await findLinks(db, { userId, domains }, compared.links)
      : await findTags(db, userId, compared.tags);
  if (subjects === null) return { ok: false, reason: 'not_own_link' };
  const byLink = 'links' in compared;
  const result = await queryClicks(db, {
    userId,
    codePrefix: '',
    host: null,
    ids: byLink ? subjects.map(({ id }) => id) : null,
    tagIds: byLink ? null : subjects.map(({ id }) => id),
    groupBy: byLink ? 'link' : 'tag',
    interval: 'day',
    filters: {},
    wanted: dayNumbersOf(period),
    now,
  });
  if (!result.ok) return result;
  const entries = new Map(result.entries.map((entry) => [entry.key, entry]));
  const counted = { ...period, from: result.days.first * DAY_MS };
  return {
    ok: true,
    body: {
      range: period.range,
      period: daysOfPeriod(counted),
      shortenedBy: result.shortenedBy ?? (period.isShortened ? 'retention' : null),
      series: subjects.map(({ key, series }) => Object.assign(series, figuresOf(entries.get(key)))),
      generatedAt: new Date(now).toISOString(),
    },
  };
}

/** `key` is the key of the entry that counts its clicks. */
type Subject = {
  id: number;
  key: string;
  series: Pick<Series, 'name' | 'code' | 'title' | 'color'>;
};

type Names = Pick<Options, 'userId' | 'domains'>;

/** Null unless each name is of a link of the member. */
async function findLinks(db: Db, who: Names, names: readonly string[]): Promise<Subject[] | null> {
  const found = await Promise.all(names.map((name) => findLink(db, who, name)));
  const subjects = found.filter((subject) => subject !== null);
  return subjects.length < names.length ? null : subjects;
}

async function findLink(db: Db, { userId, domains }: Names, name: string): Promise<Subject | null> {
  for (const key of keysOf(domains, name)) {
    const link = await readOwnLink(db, userId, { code: key });
    if (link === null) continue;
    const { id, code, title } = link;
    return { id, key: String(id), series: { name, code, title, color: null } };
  }
  return null;
}

/** The keys that a name can mean: several if a host was lost and came back. */
function keysOf(domains: DomainNames, name: string): LinkKey[] {
  const slash = name.indexOf('/');
  if (slash < 1) return [name];
  const code = name.slice(slash + 1);
  const ids = domainIdsOf(domains, name.slice(0, slash));
  return ids.length === 0 ? [name] : ids.map((id) => linkKey(id, code));
}

/** Unknown tags are left out of the query, and have no clicks. */
async function findTags(db: Db, userId: string, names: readonly string[]): Promise<Subject[]> {
  const all = await listTags(db, userId);
  return names.map((name) => {
    const tag = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return {
      id: tag?.id ?? 0,
      key: tag?.name ?? '',
      series: {
        name: tag?.name ?? name,
        code: null,
        title: null,
        color: tag?.color ?? null,
      },
    };
  });
}

function figuresOf(
  entry: Entry | undefined,
): Pick<Series, 'totalClicks' | 'uniqueClicks' | 'clicksByDate' | 'visitorsByDate'> {
  const points = entry?.series ?? [];
  const datesOf = (figure: 'clicks' | 'visitors') =>
    Object.fromEntries(
      points
        .map((point) => [utcDate(point.at), point[figure] ?? 0] as const)
        .filter(([, n]) => n > 0),
    );
  return {
    totalClicks: entry?.clicks ?? 0,
    uniqueClicks: entry?.visitors ?? 0,
    clicksByDate: datesOf('clicks'),
    visitorsByDate: datesOf('visitors'),
  };
}
