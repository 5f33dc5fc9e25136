import type { ReactNode } from 'react';
import { formatNumber } from '#contract/language.ts';
import {
  SHARED_LISTS,
  type SharedLink,
  type SharedList,
  type SharedListName,
  type SharedRow,
} from '#contract/reports/shared-reports.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { ExternalLink, textLinkClass } from '#web/ui/external-link.tsx';

type Row = { key: string; name: ReactNode; clicks: number };

/** A list of values with their clicks. Small values are its last row. */
export function ListPanel({ list }: { list: SharedList }) {
  // Clicks without a campaign say nothing where no click has one.
  const isWithout = list.other === 0 && list.rows.every(({ name }) => name === '');
  const rows: Row[] = (isWithout ? [] : list.rows).map((row) => ({
    key: `${row.country ?? ''} ${row.name}`,
    name: nameOf(list.list, row),
    clicks: row.clicks,
  }));
  if (list.other > 0 && (rows.length > 0 || list.other >= 5))
    rows.push({ key: 'other', name: 'Other', clicks: list.other });
  return (
    <Panel title={SHARED_LISTS[list.list].name}>
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : (
        <p className="text-14 text-ink-3">
          {list.to < list.from
            ? 'Counted once the first day (UTC) is over.'
            : list.other > 0
              ? 'Fewer than 5 clicks.'
              : 'No clicks in this period.'}
        </p>
      )}
    </Panel>
  );
}

function nameOf(list: SharedListName, { name, country }: SharedRow): ReactNode {
  if (list === 'countries') return countryName(name);
  if (list === 'campaigns') return name === '' ? 'No campaign' : name;
  if (country === undefined) return name;
  const place = name === 'Other' ? 'Other places' : name;
  return (
    <>
      {place} <span className="text-ink-3">{countryName(country)}</span>
    </>
  );
}

export function LinksPanel({ links }: { links: readonly SharedLink[] }) {
  const rows = links.map((link, at): Row => ({
    key: String(at),
    name: <LinkName link={link} />,
    clicks: link.clicks,
  }));
  return (
    <Panel title="Top links">
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : (
        <p className="text-14 text-ink-3">No clicks in this period.</p>
      )}
    </Panel>
  );
}

function LinkName({ link: { title, shortUrl, destination } }: { link: SharedLink }) {
  const name = title === '' ? 'Link without a title' : title;
  return (
    <>
      {shortUrl === null ? (
        name
      ) : (
        <>
          <span dir="ltr" className="font-mono text-13">
            {readableUrl(shortUrl)}
          </span>
          {title !== '' && <span className="text-ink-3"> {title}</span>}
        </>
      )}
      {destination !== null && (
        <span className="block truncate text-13 print:whitespace-normal">
          <Destination url={destination} />
        </span>
      )}
    </>
  );
}

/** A destination that a viewer can open. No search engine should follow it from here. */
export const Destination = ({ url }: { url: string }) => (
  <ExternalLink href={url} dir="ltr" rel="noopener noreferrer nofollow" className={textLinkClass}>
    {readableUrl(url)}
  </ExternalLink>
);

function Rows({ rows }: { rows: readonly Row[] }) {
  const most = Math.max(...rows.map(({ clicks }) => clicks));
  return (
    <ol className="m-0 list-none space-y-1 p-0">
      {rows.map(({ key, name, clicks }) => (
        <li
          key={key}
          className="relative flex min-h-8 items-center justify-between gap-3 px-2 py-1 text-14 break-inside-avoid"
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-0 inset-s-0 rounded-sm bg-accent-soft [print-color-adjust:exact] forced-colors:top-auto forced-colors:h-0.5 forced-colors:bg-[Highlight]"
            style={{ width: `max(2px, ${(85 * clicks) / most}%)` }}
          />
          <span className="relative min-w-0 [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </span>{' '}
          <span className="relative font-medium tabular-nums">{formatNumber(clicks)}</span>
        </li>
      ))}
    </ol>
  );
}
