import { ChartNoAxesColumn, Ellipsis, Eye, Link2, Link2Off, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { LinkRow as LinkData } from '#contract/links.ts';
import { formatAge, formatDate, formatDateTime, formatNumber, plural, readableUrl } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';

export type LinkAction = 'edit' | 'toggle' | 'delete';

/** The first letter or digit of the target's host. Shown in place of its icon, which would need a request to another site. */
export const initialOf = (target: string): string => {
  const host = readableUrl(target).replace(/^www\./, '');
  return (/[\p{L}\p{N}]/u.exec(host)?.[0] ?? '?').toUpperCase();
};

/** A row of the link list: the short URL, its target, the date, the clicks and the actions. */
export function LinkRow({ link, now, onAction }: { link: LinkData; now: number; onAction: (action: LinkAction) => void }) {
  const disabled = link.status === 'disabled';
  const short = readableUrl(link.short_url);
  const host = short.slice(0, short.length - link.short_code.length);
  const analytics = `/analytics/${encodeURIComponent(link.short_code)}`;
  const expired = link.expires_at !== null && new Date(link.expires_at).getTime() <= now;
  return (
    <li className="group grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 sm:px-5 lg:grid-cols-[auto_minmax(0,1fr)_auto_auto_auto] lg:gap-x-5">
      <span
        aria-hidden="true"
        className="inline-flex size-9 items-center justify-center rounded-full border border-line bg-sunken text-14 font-medium text-ink-2"
      >
        {initialOf(link.long_url)}
      </span>
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-2">
          <ExternalLink
            href={link.short_url}
            className={`min-w-0 font-mono text-14 [overflow-wrap:anywhere] font-medium ${disabled ? 'text-ink-3 line-through' : 'text-ink hover:text-accent'}`}
          >
            <span className="text-ink-3">{host}</span>
            <wbr />
            <span>{link.short_code}</span>
          </ExternalLink>
          {disabled && <Badge tone="warn">Disabled</Badge>}
          {!disabled && expired && <Badge tone="warn">Expired</Badge>}
          {!disabled && !expired && link.expires_at !== null && <Badge>Until {formatDate(link.expires_at)}</Badge>}
        </div>
        <div className="mt-0.5 text-13 text-ink-3">
          <ExternalLink href={link.long_url} className="block min-w-0 hover:text-ink" rel="noopener noreferrer nofollow">
            <TruncateMiddle text={readableUrl(link.long_url)} />
          </ExternalLink>
        </div>
        <p className="mt-0.5 text-12 text-ink-3 lg:hidden">
          Created <time dateTime={link.created_at}>{formatDate(link.created_at)}</time>
        </p>
        {disabled && link.status_reason !== null && link.status_reason !== '' && (
          <p className="mt-0.5 text-13 text-warn">{link.status_reason}</p>
        )}
      </div>
      <time
        dateTime={link.created_at}
        title={`${formatDateTime(link.created_at)}, ${formatAge(link.created_at, now)}`}
        className="w-24 text-13 text-ink-3 tabular-nums max-lg:hidden"
      >
        {formatDate(link.created_at)}
      </time>
      <Link
        to={analytics}
        aria-label={`${plural(link.click_count, 'click')}: analytics of ${link.short_code}`}
        className={`${buttonClass({ size: 'sm' })} tabular-nums max-lg:row-start-1 max-lg:col-start-3 justify-start! lg:w-32`}
      >
        <ChartNoAxesColumn className="size-4 text-ink-3" aria-hidden="true" />
        {formatNumber(link.click_count)}
        <span className="text-ink-3 max-sm:sr-only">{link.click_count === 1 ? 'click' : 'clicks'}</span>
      </Link>
      <div className="col-span-full flex flex-wrap items-center gap-1 max-lg:-ml-2.5 max-[400px]:[&>*>svg]:hidden lg:col-span-1 lg:col-start-5">
        <CopyButton text={link.short_url} variant="ghost" size="sm" />
        <ExternalLink href={`/${link.short_code}+`} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Eye className="size-4" aria-hidden="true" />
          Preview
        </ExternalLink>
        <Link to={analytics} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          Analytics
        </Link>
        <div className="max-lg:ml-auto">
          <Menu
            label={`More actions for ${link.short_code}`}
            items={[
              { label: 'Edit link', icon: <Pencil aria-hidden="true" />, onSelect: () => onAction('edit') },
              disabled
                ? { label: 'Enable link', icon: <Link2 aria-hidden="true" />, onSelect: () => onAction('toggle') }
                : { label: 'Disable link', icon: <Link2Off aria-hidden="true" />, onSelect: () => onAction('toggle') },
              { label: 'Delete link', icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => onAction('delete') },
            ]}
          >
            <Ellipsis className="size-4" aria-hidden="true" />
          </Menu>
        </div>
      </div>
    </li>
  );
}
