import { previewPathOf } from '#contract/link-key.ts';
import {
  Archive,
  ArchiveRestore,
  Check,
  Ellipsis,
  Eye,
  History,
  Link2,
  Link2Off,
  Pencil,
  QrCode,
  Star,
  StarOff,
  StickyNote,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedLink } from '#contract/links.ts';
import { plural } from '#contract/language.ts';
import { formatAge, formatDate, formatDateTime, readableUrl } from '#web/shared/format.ts';
import { Clicks, clicksClass, LinkAvatar, ShortUrl, TargetUrl } from '#web/shared/link-parts.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { iconButtonClass } from '#web/ui/button.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { TagBadge } from './tag-badge.tsx';

const DIALOG_ACTIONS = ['edit', 'rename', 'history', 'qr', 'toggle'] as const;
export type DialogAction = (typeof DIALOG_ACTIONS)[number];
export const opensDialog = (action: LinkAction): action is DialogAction =>
  DIALOG_ACTIONS.some((name) => name === action);
export type LinkAction =
  | DialogAction
  | 'favorite'
  | 'unfavorite'
  | 'archive'
  | 'unarchive'
  | 'delete';

/**
 * A row of the link list: the short URL above its target and date, the clicks with a link to the
 * analytics, and the actions.
 */
export function LinkRow({
  link,
  isNew = false,
  now,
  isSelected,
  onSelect,
  onTag,
  onAction,
}: {
  link: ListedLink;
  /** True for a link that was just created. */
  isNew?: boolean;
  now: number;
  isSelected: boolean;
  /** `isRange`: with the links between this one and the last that was selected. */
  onSelect: (isRange: boolean) => void;
  onTag: (name: string) => void;
  onAction: (action: LinkAction) => void;
}) {
  return (
    <li
      className={`${isNew ? 'animate-arrive bg-accent/5' : ''} grid grid-cols-[auto_minmax(0,1fr)] items-center sm:grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-1 border-b border-line px-4 py-2 outline-line-strong transition-colors duration-150 first:rounded-t-lg last:rounded-b-lg last:border-b-0 hover:bg-ink/3 has-focus-visible:bg-ink/3 has-focus-visible:outline-1 has-focus-visible:-outline-offset-1 sm:px-5`}
    >
      <Selection link={link} isSelected={isSelected} onSelect={onSelect} />
      <div className="min-w-0">
        <Heading link={link} isNew={isNew} now={now} onTag={onTag} onAction={onAction} />
        <TargetLine link={link} now={now} />
        {link.status === 'disabled' && link.status_reason !== null && link.status_reason !== '' && (
          <p className="mt-0.5 text-13 text-warn">{link.status_reason}</p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 max-sm:col-start-2">
        <Link
          data-row-link=""
          to={`/analytics/${encodeURIComponent(link.short_code)}`}
          aria-label={`Analytics of ${link.short_code}, ${plural(link.click_count, 'click')}`}
          className={clicksClass}
        >
          <Clicks count={link.click_count} />
        </Link>
        <RowActions link={link} onAction={onAction} />
      </div>
    </li>
  );
}

function Selection({
  link,
  isSelected,
  onSelect,
}: {
  link: ListedLink;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
}) {
  return (
    <span className="relative inline-flex size-9 items-center justify-center rounded-full select-none max-sm:self-start">
      {/* It lies over the mark, because not every browser passes a click with Shift on to the
          checkbox of a label. */}
      <input
        type="checkbox"
        aria-label={`Select ${link.short_code}`}
        className="peer absolute inset-0 z-1 size-full cursor-pointer opacity-0"
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      <LinkAvatar
        target={link.long_url}
        className="outline-offset-2 outline-accent peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent peer-hover:border-line-strong peer-focus-visible:outline-2"
      >
        {isSelected ? <Check className="size-4" /> : undefined}
      </LinkAvatar>
      {link.favorite && (
        <>
          <Star className="absolute -inset-e-1 -bottom-1 size-4.5 fill-warn stroke-1 text-surface" />
          <span className="sr-only">Favorite</span>
        </>
      )}
    </span>
  );
}

/** The short URL, the title, badges, tags and the note of a link. */
function Heading({
  link,
  isNew,
  now,
  onTag,
  onAction,
}: {
  link: ListedLink;
  isNew: boolean;
  now: number;
  onTag: (name: string) => void;
  onAction: (action: LinkAction) => void;
}) {
  const disabled = link.status === 'disabled';
  const expired = link.expires_at !== null && new Date(link.expires_at).getTime() <= now;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <ExternalLink
        href={link.short_url}
        className={`min-w-0 font-mono text-14 leading-6 [overflow-wrap:anywhere] font-medium ${disabled ? 'text-ink-3 line-through' : 'text-ink hover:text-accent'}`}
      >
        <ShortUrl url={link.short_url} code={link.short_code} />
      </ExternalLink>
      {link.title !== '' && (
        <span dir="auto" className="min-w-0 max-w-full truncate text-14 text-ink-2 sm:max-w-96">
          {link.title}
        </span>
      )}
      {isNew && <Badge tone="accent">New</Badge>}
      {link.archived && <Badge>Archived</Badge>}
      {disabled && <Badge tone="warn">Disabled</Badge>}
      {!disabled && expired && <Badge tone="warn">Expired</Badge>}
      {!disabled && !expired && link.expires_at !== null && (
        <Badge>Until {formatDate(link.expires_at)}</Badge>
      )}
      {link.tags.map((tag) => (
        <TagBadge key={tag.id} tag={tag} onSelect={() => onTag(tag.name)} />
      ))}
      {link.note !== '' && (
        <button
          type="button"
          data-tooltip={link.note.slice(0, 300)}
          aria-label={`Note: ${link.note.slice(0, 300)}`}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
          onClick={() => onAction('edit')}
        >
          <StickyNote className="size-4" />
        </button>
      )}
    </div>
  );
}

function TargetLine({ link, now }: { link: ListedLink; now: number }) {
  return (
    <p className="flex min-w-0 items-center gap-2 text-13 text-ink-3">
      <ExternalLink
        href={link.long_url}
        dir="ltr"
        data-tooltip={readableUrl(link.long_url)}
        className="min-w-0 truncate leading-6 hover:text-ink"
        rel="noopener noreferrer nofollow"
      >
        <TargetUrl url={link.long_url} />
      </ExternalLink>
      <span aria-hidden="true">·</span>
      <time
        dateTime={link.created_at}
        data-tooltip={`Created ${formatDateTime(link.created_at)}, ${formatAge(link.created_at, now)}`}
        className="shrink-0 tabular-nums"
      >
        <span className="sr-only">Created </span>
        {formatDate(link.created_at)}
      </time>
    </p>
  );
}

function RowActions({
  link,
  onAction,
}: {
  link: ListedLink;
  onAction: (action: LinkAction) => void;
}) {
  const disabled = link.status === 'disabled';
  const short = readableUrl(link.short_url);
  const item = (label: string, icon: ReactNode, action: LinkAction) => ({
    label,
    icon,
    onSelect: () => onAction(action),
  });
  return (
    <div className="-me-2 ms-auto flex items-center">
      <CopyIcon text={link.short_url} name={`Copy ${short}`} />
      <ExternalLink
        href={previewPathOf(link.short_code)}
        aria-label={`Preview of ${short}`}
        data-tooltip="Preview"
        className={iconButtonClass}
      >
        <Eye className="size-4" />
      </ExternalLink>
      <Menu
        label={`More actions for ${link.short_code}`}
        tooltip="More actions"
        items={[
          item('Edit link', <Pencil />, 'edit'),
          item('Rename link', <TextCursorInput />, 'rename'),
          item('History', <History />, 'history'),
          item('QR code', <QrCode />, 'qr'),
          disabled
            ? item('Enable link', <Link2 />, 'toggle')
            : item('Disable link', <Link2Off />, 'toggle'),
          link.favorite
            ? item('Remove from favorites', <StarOff />, 'unfavorite')
            : item('Add to favorites', <Star />, 'favorite'),
          link.archived
            ? item('Unarchive link', <ArchiveRestore />, 'unarchive')
            : item('Archive link', <Archive />, 'archive'),
          { ...item('Delete link', <Trash2 />, 'delete'), danger: true },
        ]}
      >
        <Ellipsis className="size-4" />
      </Menu>
    </div>
  );
}
