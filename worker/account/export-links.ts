import { shortUrlOf } from '#contract/link-key.ts';
import type { LinksFormat } from '#contract/account.ts';
import { csvText } from '#contract/csv.ts';
import type { Db } from '#worker/db/client.ts';

import { toExportedLink } from './export.ts';
import { REDIRECT_MAPS } from './redirect-maps.ts';
import { linksAfter } from './store.ts';

type Row = Awaited<ReturnType<typeof linksAfter>>[number];
type Writer = {
  start: string;
  lines: (rows: readonly Row[], isFirst: boolean) => string;
  end: string;
};

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
  'archived',
  'favorite',
  'forward_params',
  'imported_from',
  'imported_clicks',
];

/**
 * The member's links as a file, oldest first. It is written while it is read, some links at a time,
 * so that its size does not matter. Redirect maps have only links that redirect at `now`.
 */
export function streamLinks(
  db: Db,
  userId: string,
  format: LinksFormat,
  { shortOrigin, now }: { shortOrigin: string; now: number },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const writer = writerOf(format, shortOrigin, now);
  let after = 0;
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const rows = await linksAfter(db, userId, after);
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

function writerOf(format: LinksFormat, shortOrigin: string, now: number): Writer {
  if (format === 'csv')
    return {
      start: csvText([CSV_HEADER]),
      lines: (rows) => csvText(rows.map((row) => cells(row, shortOrigin))),
      end: '',
    };
  if (format === 'json')
    return {
      start: '[',
      lines: (rows, isFirst) =>
        (isFirst ? '' : ',') +
        rows.map((row) => `\n${JSON.stringify(toExportedLink(row, shortOrigin))}`).join(','),
      end: '\n]\n',
    };
  const map = REDIRECT_MAPS[format];
  const isLive = ({ link }: Row): boolean =>
    link.status === 'active' && (link.expires_at === null || link.expires_at > now);
  return {
    start: map.start,
    lines: (rows) =>
      rows
        .filter(isLive)
        .flatMap(({ link: { code, target }, earlierCodes }) =>
          [code, ...earlierCodes].map((each) =>
            map.line({ code: each, target, shortUrl: shortUrlOf(shortOrigin, each) }),
          ),
        )
        .join(''),
    end: map.end,
  };
}

function cells(row: Row, shortOrigin: string): (string | number)[] {
  const link = toExportedLink(row, shortOrigin);
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
    String(link.archived),
    String(link.favorite),
    link.forward_params === 'none' ? '' : String(link.forward_params),
    link.imported?.from ?? '',
    link.imported?.clicks ?? '',
  ];
}
