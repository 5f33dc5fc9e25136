import { previewUrlOf } from '#contract/codes/link-key.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { plural } from '#contract/language.ts';
import { codeOf, readableUrl } from '#web/shared/texts/format.ts';
import { TargetText } from '#web/shared/links/link-parts.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { ExternalLink, textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';
import { useLinks } from './queries.ts';
import { RECENT_LINKS, RecentLinksSkeleton } from './recent-links-skeleton.tsx';

function Row({ link }: { link: ListedLink }) {
  const short = readableUrl(link.short_url);
  const code = codeOf(link.short_url);
  return (
    <li className="flex h-16 items-center gap-3 border-b border-line px-3 last:border-b-0 sm:px-4">
      <div className="min-w-0 flex-1">
        <ExternalLink
          href={previewUrlOf(link.short_url)}
          aria-label={`Preview of ${short}`}
          className={`block font-mono text-14 font-medium ${link.status === 'disabled' ? 'text-ink-3 line-through' : 'hover:text-accent'}`}
        >
          <TruncateMiddle text={short} tail={code.length} />
        </ExternalLink>
        <TargetText url={link.long_url} className="mt-0.5 text-13" />
      </div>
      <Link
        to={`/analytics/${encodeURIComponent(link.short_code)}`}
        aria-label={`${plural(link.click_count, 'click')}: analytics of ${code}`}
        className={`shrink-0 text-13 tabular-nums ${textLinkClass}`}
      >
        {plural(link.click_count, 'click')}
      </Link>
      <CopyIcon text={link.short_url} name={`Copy ${short}`} />
    </li>
  );
}

/** A member's latest links except the code `shown`, which is already on the page. */
export function RecentLinks({ shown }: { shown: string | undefined }) {
  const query = useLinks('');
  if (query.isPending) return <RecentLinksSkeleton />;
  if (query.data === undefined)
    return <ErrorLine message="Your links could not be loaded." query={query} />;
  const links = (query.data.pages[0]?.urls ?? [])
    .filter(({ short_code }) => short_code !== shown)
    .slice(0, RECENT_LINKS);
  return (
    <Card>
      <section aria-labelledby="recent-links">
        <div className="flex h-11 items-center justify-between border-b border-line px-3 sm:px-4">
          <h2 id="recent-links" className="text-14 font-medium">
            Your last links
          </h2>
          <Link to="/dashboard" className={`text-13 ${textLinkClass}`}>
            All links
          </Link>
        </div>
        {/* The list always has the height of three rows, so that content below it does not move
           when the links load. */}
        <div className="min-h-48">
          {links.length === 0 ? (
            <p className="flex h-48 items-center justify-center px-4 text-14 text-ink-3">
              {shown === undefined ? 'You haven’t created any links yet.' : 'No other links yet.'}
            </p>
          ) : (
            <ul aria-labelledby="recent-links">
              {links.map((link) => (
                <Row key={link.id} link={link} />
              ))}
            </ul>
          )}
        </div>
      </section>
    </Card>
  );
}
