import { inArray, ne, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { LINKS_FILES, type LinksFormat } from '#contract/files/links-file.ts';
import { csvText } from '#contract/files/csv.ts';
import { SETTING_NAMES, shownAs, type ShownByColumn } from '#contract/links/link-settings.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { isLive, toEdgeRecord } from '#worker/redirect/edge-record.ts';
import { toExportedLink } from './export.ts';
import { REDIRECT_MAPS } from './redirect-maps.ts';
import { linksAfter } from './store.ts';

type Row = Awaited<ReturnType<typeof linksAfter>>[number];
type Writer = {
  start: string;
  lines: (rows: readonly Row[], isFirst: boolean) => string;
  end: string;
};

/** Settings without a fixed column in the file. */
const OTHER_SETTINGS = SETTING_NAMES.filter(
  (name) => !['expiresAt', 'title', 'note'].includes(name),
);

const CSV_HEADER = [
  'short_url',
  'long_url',
  'status',
  'created_at',
  'expires_at',
  'clicks',
  'unique_visitors',
  'bots',
  'prefetches',
  'title',
  'note',
  'tags',
  ...OTHER_SETTINGS.map((name) => shownAs(name).column),
  'limit_used',
  'imported_from',
  'imported_clicks',
  'short_code',
  'domain',
  'earlier_codes',
  'external_id',
];

/**
 * Streams the member's links as a file, oldest first. Every pull reads one page of links, so the
 * number of links does not matter. The first page is read before the response begins, so that an
 * outage is a 503. Redirect maps contain only links that redirect at `now`. `where` chooses among
 * the links, by default all but those that were deleted for good.
 */
export async function streamLinks(
  db: Db,
  userId: string,
  format: LinksFormat,
  { origins, now, where = isNotPurged }: { origins: ShortOrigins; now: number; where?: SQL },
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const writer = writerOf(format, origins, now);
  let after = 0;
  let isFirst = true;
  let firstPage: readonly Row[] | null = await linksAfter(db, userId, after, where);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const rows = firstPage ?? (await linksAfter(db, userId, after, where));
        firstPage = null;
        const start = after === 0 ? writer.start : '';
        const text = rows.length === 0 ? '' : writer.lines(rows, isFirst);
        isFirst &&= text === '';
        after = rows.at(-1)?.link.id ?? after;
        controller.enqueue(encoder.encode(start + text + (rows.length === 0 ? writer.end : '')));
        if (rows.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const isNotPurged = ne(links.target, '');

/** Chooses the links with these ids. */
export const areAmong = (ids: readonly number[]): SQL => inArray(links.id, jsonList(ids));

/** The headers of such a file. */
export const linksFileHeaders = (format: LinksFormat) => ({
  'Content-Type': `${TYPES[format] ?? 'text/plain'}; charset=utf-8`,
  'Content-Disposition': `attachment; filename="${LINKS_FILES[format]}"`,
});

const TYPES: Partial<Record<LinksFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  cloudflare: 'text/csv',
  shlink: 'text/csv',
  yourls: 'text/csv',
  dub: 'text/csv',
};

function writerOf(format: LinksFormat, origins: ShortOrigins, now: number): Writer {
  if (format === 'csv')
    return {
      start: csvText([CSV_HEADER]),
      lines: (rows) => csvText(rows.map((row) => toCsvCells(row, origins))),
      end: '',
    };
  if (format === 'json')
    return {
      start: '[',
      lines: (rows, isFirst) =>
        (isFirst ? '' : ',') +
        rows.map((row) => `\n${JSON.stringify(toExportedLink(row, origins))}`).join(','),
      end: '\n]\n',
    };
  const map = REDIRECT_MAPS[format];
  const isWritten = (key: LinkKey): boolean =>
    map.namesHosts === true || splitKey(key).domain === DEFAULT_DOMAIN;
  return {
    start: map.start,
    lines: (rows) =>
      rows
        .filter(({ link }) => isLive(toEdgeRecord(link), now))
        .flatMap(({ link, settings, tags, totals, earlierCodes }) =>
          [link.code, ...earlierCodes].filter(isWritten).map((code) =>
            map.line({
              code,
              target: link.target,
              shortUrl: shortUrlOf(origins, code),
              title: settings.title,
              tags,
              clicks: code === link.code ? (totals?.human ?? 0) : 0,
              createdAt: new Date(link.created_at).toISOString(),
            }),
          ),
        )
        .join(''),
    end: map.end,
  };
}

function cellOf(value: ShownByColumn[keyof ShownByColumn]): string {
  if (value === null || value === 'none') return '';
  if (!Array.isArray(value)) return String(value);
  const names = value.filter((item) => typeof item === 'string');
  return names.length === value.length ? names.join(',') : JSON.stringify(value);
}

function toCsvCells(row: Row, origins: ShortOrigins): (string | number)[] {
  const link = toExportedLink(row, origins);
  const { human, visitors, bot, prefetch } = link.clicks;
  return [
    link.short_url,
    link.long_url,
    link.status,
    link.created_at,
    link.expires_at ?? '',
    human,
    visitors,
    bot,
    prefetch,
    link.title,
    link.note,
    link.tags.join(', '),
    ...OTHER_SETTINGS.map((name) => cellOf(link[shownAs(name).column])),
    link.limit_used,
    link.imported?.from ?? '',
    link.imported?.clicks ?? '',
    link.short_code,
    link.domain,
    link.earlier_codes.join(' '),
    link.external_id ?? '',
  ];
}
