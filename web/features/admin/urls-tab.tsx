import { useSearchParams } from 'react-router-dom';
import type { AdminLink } from '#contract/moderation/admin.ts';
import { plural } from '#contract/language.ts';
import { formatDate, readableUrl } from '#web/shared/texts/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';
import { CursorList, ListFilterBar, type AdminFilter, useListFilters } from './cursor-list.tsx';
import { useModerationDialog } from './moderation-dialog.tsx';
import {
  buildModeration,
  describeHolds,
  hostnameOf,
  isDeletedOwner,
  type Moderation,
  moderationOf,
  nameOfLink,
  previewOf,
  restoringOf,
  shortId,
} from './moderation-scopes.ts';
import { useUrls } from './queries.ts';

const FILTERS: readonly AdminFilter[] = [
  {
    name: 'status',
    label: 'Status',
    any: 'Any status',
    options: { active: 'Active', disabled: 'Disabled', deleted: 'Deleted' },
  },
  {
    name: 'held',
    label: 'Holds',
    any: 'Held or not',
    options: { yes: 'Held', no: 'Not held' },
  },
];

/**
 * The owner comes from the URL, where a link in the list of users puts it, and is therefore also an
 * option.
 */
const ownerFilter = (owner: string): AdminFilter => ({
  name: 'owner',
  label: 'Owner',
  any: 'Any owner',
  options: {
    visitor: 'Visitors',
    ...(owner !== '' && owner !== 'visitor' && { [owner]: `Only ${shortId(owner)}` }),
  },
});

export function UrlsTab() {
  const [searchParams] = useSearchParams();
  const owner = searchParams.get('owner') ?? '';
  const filters = [...FILTERS, ownerFilter(owner)];
  const list = useListFilters(filters);
  const [dialog, moderate] = useModerationDialog();
  const query = useUrls({ q: list.q, ...list.params });
  return (
    <div className="flex flex-col gap-4">
      <ListFilterBar searchLabel="Search by code or destination" filters={filters} list={list} />
      <CursorList query={query} rowsOf={(page) => page.urls} noun="URLs" empty="No URLs found">
        {(url) => (
          <UrlRow key={`${url.short_code} ${url.created_at}`} url={url} onModerate={moderate} />
        )}
      </CursorList>
      {dialog}
    </div>
  );
}

const buildLinkModeration = ({
  short_code: code,
  domain,
  long_url,
  user_id: ownerId,
  holds,
  status,
}: AdminLink) =>
  buildModeration({ code, domain, host: hostnameOf(long_url), ownerId, holds }, status);

function UrlRow({
  url,
  onModerate,
}: {
  url: AdminLink;
  onModerate: (moderation: Moderation) => void;
}) {
  const moderation = moderationOf(url.status, url.holds);
  const restoring = restoringOf(url.domain);
  const name = nameOfLink(url.short_code, url.domain);
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2">
          <a
            dir="ltr"
            className="font-mono text-14 font-medium hover:underline"
            href={previewOf(url.short_code, url.domain)}
          >
            {name}
          </a>
          {url.status !== 'active' && <Badge tone="bad">{url.status}</Badge>}
          {restoring !== null && <Badge tone="bad">domain suspended</Badge>}
        </p>
        <div className="text-13 text-ink-2">
          <TruncateMiddle text={readableUrl(url.long_url)} />
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-1 text-13 text-ink-3">
          <span>
            {plural(url.click_count, 'click')} · {formatDate(url.created_at)} ·
          </span>
          <OwnerName url={url} />
        </p>
        {url.holds.length > 0 && (
          <p className="mt-0.5 text-13 [overflow-wrap:anywhere] text-ink-2">
            Disabled by {describeHolds(url.holds)}
          </p>
        )}
      </div>
      {restoring !== null && (
        <Button
          size="sm"
          onClick={() => onModerate(restoring)}
          aria-label={`Restore domain ${url.domain?.host ?? ''}`}
        >
          Restore domain…
        </Button>
      )}
      {moderation !== null && (
        <Button
          size="sm"
          onClick={() => onModerate(buildLinkModeration(url))}
          aria-label={`${moderation} ${name}`}
        >
          {moderation}…
        </Button>
      )}
    </li>
  );
}

/** Shows the owner's email or id, linked to their entry in the list of users if they have one. */
function OwnerName({ url: { user_id, user_email } }: { url: AdminLink }) {
  if (user_id === null) return <span>by a visitor</span>;
  if (isDeletedOwner(user_id)) return <span>of {shortId(user_id)}</span>;
  const name = user_email === '' ? shortId(user_id) : user_email;
  return (
    <Link
      className="max-w-full truncate hover:text-ink hover:underline"
      data-tooltip={name}
      to={`/admin?tab=users&q=${user_id}`}
    >
      {name}
    </Link>
  );
}
