import { codeOfKey } from '#contract/codes/code-of-key.ts';
import type { LinkChange, LinkHistory, ListedLink, LinkState } from '#contract/links/links.ts';
import { SITE_NAME } from '#contract/site.ts';
import { describeSetting } from '#web/shared/link-settings/describe-setting.ts';
import { domainOrigin } from '#web/shared/link-settings/domain-choices.ts';
import { formatDateTime, readableUrl } from '#web/shared/texts/format.ts';
import {
  SETTING_FIELDS,
  SETTING_NAMES,
  toSettingChanges,
} from '#web/shared/link-settings/link-settings.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { buildLinkChange } from './link-change.ts';
import { useHistory, useUpdateLink } from './queries.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

type Change = LinkHistory['changes'][number];

const FIELDS: readonly { label: string; show: (state: LinkState) => string }[] = [
  { label: 'Destination', show: ({ long_url }) => readableUrl(long_url) },
  { label: 'State', show: ({ status }) => status },
  ...SETTING_NAMES.map((name) => ({
    label: SETTING_FIELDS[name].label,
    show: (state: LinkState) => describeSetting(name, state),
  })),
  {
    label: 'Preview card',
    show: ({ card_at }) => (card_at === null ? 'none' : `of ${formatDateTime(card_at)}`),
  },
  { label: 'Tags', show: ({ tags }) => (tags.length === 0 ? 'none' : tags.join(', ')) },
];

/** The code names its host only if the link moved to another domain. */
const codeField = (before: LinkState, after: LinkState): (typeof FIELDS)[number] =>
  before.domain === after.domain
    ? { label: 'Code', show: ({ short_code: key }) => codeOfKey(key) }
    : {
        label: 'Short URL',
        show: ({ domain, short_code: key }) =>
          readableUrl(`${domainOrigin(domain)}/${codeOfKey(key)}`),
      };

/**
 * Returns the change, apart from the password, that restores an earlier state of a link, or null if
 * the link is already in that state.
 */
export function buildRestoreChange(link: ListedLink, state: LinkState): LinkChange | null {
  return buildLinkChange(link, {
    customCode: codeOfKey(state.short_code),
    domain: state.domain,
    longUrl: state.long_url,
    enabled: state.status === 'deleted' ? undefined : state.status === 'active',
    tags: state.tags,
    ...toSettingChanges(state),
    password: undefined,
  });
}

/**
 * Lists the changes of a link, newest first. Each has a button that restores the state before it.
 */
export function HistoryDialog({ link, onClose }: { link: ListedLink; onClose: () => void }) {
  const history = useHistory(link.short_code);
  const restore = useUpdateLink(() => {
    toast('Earlier version restored.');
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title="History" closeLabel="Close" width="reading">
      <p className="mb-4 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
        {readableUrl(link.short_url)}
      </p>
      <QueryContent
        query={history}
        failure="The history could not be loaded."
        loading="Loading the history…"
        skeleton={<Skeleton className="h-24 w-full" />}
      >
        {(changes) => (
          <ol className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line text-13">
            {changes.map((change) => (
              <Entry
                key={change.at}
                change={change}
                pending={restore.isPending}
                restoreChange={buildRestoreChange(link, change.before)}
                onRestore={(restoreChange) =>
                  restore.mutate({ code: link.short_code, change: restoreChange })
                }
              />
            ))}
            <li className="px-3 py-2 text-ink-3">Created {formatDateTime(link.created_at)}</li>
          </ol>
        )}
      </QueryContent>
      <ErrorText className="mt-3">{restore.error?.message}</ErrorText>
    </Dialog>
  );
}

function authorOf(keyName: string, isByWatcher: boolean): string {
  if (isByWatcher) return `by ${SITE_NAME}, after a check of the destination`;
  return keyName === '' ? 'by you' : `by the API key ${keyName}`;
}

function Entry({
  change: { at, keyName, isByWatcher, before, after, isPasswordReplaced },
  pending,
  restoreChange,
  onRestore,
}: {
  change: Change;
  pending: boolean;
  restoreChange: LinkChange | null;
  onRestore: (restoreChange: LinkChange) => void;
}) {
  const changed = [codeField(before, after), ...FIELDS].filter(
    ({ show }) => show(before) !== show(after),
  );
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-ink-3">
          {formatDateTime(at)}, {authorOf(keyName, isByWatcher)}
        </p>
        {isPasswordReplaced && <p className="text-ink-2">Password changed</p>}
        {changed.length === 0 && !isPasswordReplaced && (
          <p className="text-ink-2">Tags that were deleted since</p>
        )}
        <dl>
          {changed.map(({ label, show }) => (
            <div key={label} className="[overflow-wrap:anywhere]">
              <dt className="inline font-medium text-ink">{label}: </dt>
              <dd className="inline whitespace-pre-line text-ink-2">
                <del className="text-ink-3">
                  <bdi>{show(before)}</bdi>
                </del>{' '}
                <span className="inline-block rtl:-scale-x-100">→</span> <bdi>{show(after)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {restoreChange !== null && (
        <Button
          size="sm"
          pending={pending}
          aria-label={`Restore the version before ${formatDateTime(at)}`}
          onClick={() => onRestore(restoreChange)}
        >
          Restore
        </Button>
      )}
    </li>
  );
}
