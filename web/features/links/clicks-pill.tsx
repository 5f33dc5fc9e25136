import type { LinkActivity } from '#contract/links/link-activity.ts';
import { formatNumber, plural } from '#contract/language.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { clicksClass } from '#web/shared/links/link-parts.tsx';
import { Link } from '#web/ui/link.tsx';

const HEIGHT = 14;
const BAR = 3;
const STEP = 4;

/** The clicks of the last days as bars, today's in the accent color. */
function Sparkline({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  return (
    <svg
      aria-hidden="true"
      width={days.length * STEP - 1}
      height={HEIGHT}
      className="shrink-0 rtl:-scale-x-100"
    >
      {days.map((clicks, at) => {
        const height = clicks === 0 ? 1 : Math.max(3, Math.round((clicks / most) * HEIGHT));
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- A bar is its day's place.
            key={at}
            x={at * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx={1}
            className={at === days.length - 1 && clicks > 0 ? 'fill-accent' : 'fill-ink-3'}
          />
        );
      })}
    </svg>
  );
}

const NO_DAYS = [0, 0, 0, 0, 0, 0, 0] as const;

/** The clicks of a link, which lead to its analytics, with those of its last seven days as bars. */
export function ClicksPill({
  link,
  activity,
}: {
  link: ListedLink;
  activity: LinkActivity | undefined;
}) {
  const { short_code: key, short_url: shortUrl, click_count: listed } = link;
  const clicks = Math.max(listed, activity?.clicks ?? 0);
  const number = formatNumber(clicks);
  const word = plural(clicks, 'click').slice(number.length);
  const week = activity?.days.reduce((sum, day) => sum + day, 0);
  const recent = week === undefined ? '' : `, ${formatNumber(week)} in the last 7 days`;
  return (
    <Link
      data-row-link=""
      to={`/analytics/${encodeURIComponent(key)}`}
      aria-label={`Analytics of ${codeOf(shortUrl)}, ${plural(clicks, 'click')}${recent}`}
      data-tooltip={week === undefined ? undefined : `${formatNumber(week)} in the last 7 days`}
      className={`${clicksClass} relative pointer-coarse:h-8! after:absolute after:-inset-y-1.5 after:inset-x-0`}
    >
      <Sparkline days={activity?.days ?? NO_DAYS} />
      <span>
        {number}
        <span className="max-sm:sr-only">{word}</span>
      </span>
    </Link>
  );
}
