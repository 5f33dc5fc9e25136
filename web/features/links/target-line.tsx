import type { LinkActivity } from '#contract/links/link-activity.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { formatAge, formatDate, formatDateTime, readableUrl } from '#web/shared/texts/format.ts';
import { TargetUrl } from '#web/shared/links/link-parts.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { describeDates } from './link-date.ts';

/** The destination of a link, its dates, and why it does not redirect. */
export function TargetLine({
  link,
  activity,
  now,
}: {
  link: ListedLink;
  activity: LinkActivity | undefined;
  now: number;
}) {
  const { status_reason: reason } = link;
  const dates = describeDates(link, now);
  return (
    <div className="min-w-0 text-13 text-ink-3 max-sm:col-start-2 max-sm:row-start-2">
      <p className="flex min-w-0 items-center gap-2">
        {dates !== '' && (
          <span aria-hidden="true" className="shrink-0 text-ink-2 sm:hidden">
            {dates}
          </span>
        )}
        {link.title !== '' && (
          <span dir="auto" className="min-w-0 truncate text-ink-2 sm:hidden">
            {link.title}
          </span>
        )}
        <ExternalLink
          href={link.long_url}
          dir="ltr"
          data-tooltip={readableUrl(link.long_url)}
          className={`min-w-0 truncate leading-6 hover:text-ink ${link.title === '' ? '' : 'max-sm:sr-only'}`}
          rel="noopener noreferrer nofollow"
        >
          <TargetUrl url={link.long_url} />
        </ExternalLink>
        <span aria-hidden="true" className="max-sm:hidden">
          ·
        </span>
        <time
          dateTime={link.created_at}
          data-tooltip={`Created ${formatDateTime(link.created_at)}, ${formatAge(link.created_at, now)}`}
          className="shrink-0 tabular-nums max-sm:sr-only"
        >
          <span className="sr-only">Created </span>
          {formatDate(link.created_at)}
        </time>
        <LastClick link={link} activity={activity} now={now} />
      </p>
      <HealthLine link={link} />
      {reason !== null && reason !== '' && <p className="mt-0.5 text-warn">{reason}</p>}
    </div>
  );
}

/** What the checks of an unreachable destination found, and where the link leads meanwhile. */
function HealthLine({ link: { health } }: { link: ListedLink }) {
  if (health?.state !== 'dead') return null;
  const { since, detail, replacedUrl } = health;
  return (
    <p className="mt-0.5 text-bad">
      Unreachable since <time dateTime={since}>{formatDateTime(since)}</time>. {detail}
      {replacedUrl !== null && (
        <span className="[overflow-wrap:anywhere]">
          {' '}
          The link leads to its fallback instead of <bdi>{readableUrl(replacedUrl)}</bdi>.
        </span>
      )}
    </p>
  );
}

/** When the link was last clicked. It keeps its width while that loads. */
function LastClick({
  link,
  activity,
  now,
}: {
  link: ListedLink;
  activity: LinkActivity | undefined;
  now: number;
}) {
  const at = activity?.lastClickAt ?? null;
  if (link.click_count > 0 && at === null)
    return <span className="w-44 shrink-0 max-lg:hidden" aria-hidden="true" />;
  return (
    <span className="w-44 shrink-0 truncate max-lg:sr-only">
      <span aria-hidden="true" className="pe-2">
        ·
      </span>
      {at === null ? (
        'no clicks yet'
      ) : (
        <time dateTime={at} data-tooltip={formatDateTime(at)}>
          last click {formatAge(at, now)}
        </time>
      )}
    </span>
  );
}
