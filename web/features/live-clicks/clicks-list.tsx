import { useState } from 'react';
import { plural } from '#contract/language.ts';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { CLOCK, localDateFormat } from '#web/shared/texts/format.ts';
import { shownCode } from '#web/shared/links/shown-code.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';

const SHOWN_FIRST = 5;
const formatTime = localDateFormat({ ...CLOCK, second: '2-digit' });

/** The clicks of the picture as a table, newest first. `isOwn` links to the reports of the links. */
export function ClicksList({ clicks, isOwn }: { clicks: readonly LiveClick[]; isOwn: boolean }) {
  const [all, setAll] = useState(false);
  const hasSource = clicks.some(({ referrer }) => referrer !== undefined);
  return (
    <>
      <table className="w-full table-fixed border-collapse text-14 max-sm:text-13">
        <caption className="sr-only">Latest clicks, newest first</caption>
        <colgroup>
          <col className="w-24 max-sm:w-20" />
          <col />
          <col />
          {hasSource && <col className="w-1/4 max-sm:w-px" />}
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Country</th>
            <th scope="col">Link</th>
            {hasSource && (
              <th scope="col" className="max-sm:hidden">
                Source
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(all ? clicks : clicks.slice(0, SHOWN_FIRST)).map((click, index) => (
            <tr
              key={`${click.clickedAt} ${clicks.length - index}`}
              className="h-9 border-t border-line max-sm:h-11"
            >
              <td className="p-0 text-ink-3 tabular-nums">
                <Time at={click.clickedAt}>{formatTime(click.clickedAt)}</Time>
              </td>
              <td className="truncate py-0 ps-0 pe-3">{countryName(click.country)}</td>
              <td className="truncate py-0 ps-0 pe-3 font-mono text-13" title={click.shortUrl}>
                {isOwn ? (
                  <Link
                    to={`/analytics/${encodeURIComponent(click.code)}`}
                    className="hover:underline"
                  >
                    {shownCode(click.code, click.shortUrl)}
                  </Link>
                ) : (
                  shownCode(click.code, click.shortUrl)
                )}
              </td>
              {hasSource && (
                <td className="truncate p-0 text-end text-ink-3 max-sm:hidden">{click.referrer}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {clicks.length > SHOWN_FIRST && (
        <div className="mt-1 text-center">
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer clicks' : `Show all ${plural(clicks.length, 'click')}`}
          </Button>
        </div>
      )}
    </>
  );
}
