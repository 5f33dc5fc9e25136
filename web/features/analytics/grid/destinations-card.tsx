import type { DestinationFigures } from '#contract/reports/analytics.ts';
import { compareShares, type ShareVerdict } from '#contract/reports/compare-shares.ts';
import { plural } from '#contract/language.ts';
import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { formatShare } from '#web/features/analytics/metrics.ts';
import { api } from '#web/shared/api/api.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useHint } from '#web/ui/use-hint.tsx';
import { useSend } from '#web/shared/api/use-send.ts';

type DestinationsCardProps = {
  code: string;
  destinations: readonly DestinationFigures[];
  /** Whether the reader may change the link. */
  canChange: boolean;
};

const VERDICTS: Readonly<Record<ShareVerdict, string>> = {
  too_few: 'Too few visitors to tell whether the shares are as set.',
  as_set: 'The shares are as set: chance explains the difference.',
  differs:
    'The shares differ from the set ones by more than chance explains, for example because they were changed in this period.',
};

const HINT =
  'Shares are of visitors, because all clicks of a visitor on a day lead to the same destination. The range in parentheses is their 95% interval. Visitors who cannot be recognized are only in the clicks. Hop does not see what happens after a click: your own site can tell which destination does better.';

const isPresent = (row: DestinationFigures): row is DestinationFigures & { weight: number } =>
  row.weight !== null;

/** The destinations between which a link divides its visitors: their shares as set and measured. */
export function DestinationsCard({ code, destinations, canChange }: DestinationsCardProps) {
  const [hintButton, hint] = useHint('Destinations', HINT);
  const present = destinations.filter(isPresent);
  const settle = useSettle(code, present);
  return (
    <Card>
      <div className="border-b border-line px-4 py-1 sm:px-5">
        <div className="flex h-10 items-center">
          <h2 className="text-14 font-medium">Destinations</h2>
          {hintButton}
        </div>
        {hint && <div className="pb-2">{hint}</div>}
      </div>
      <ul className="divide-y divide-line px-4 sm:px-5">
        {destinations.map((row, at) => (
          <li key={row.url ?? ''} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <Destination row={row} isOwn={at === 0} />
            {canChange && at > 0 && row.weight !== null && (
              <Button
                size="sm"
                pending={settle.isPending}
                aria-label={`Make ${readableUrl(row.url ?? '')} the destination`}
                onClick={() => settle.choose(row.url ?? '')}
              >
                Make this the destination
              </Button>
            )}
          </li>
        ))}
      </ul>
      {present.length > 1 && (
        <p className="border-t border-line px-4 py-3 text-13 text-ink-2 sm:px-5">
          {VERDICTS[compareShares(present)]}
        </p>
      )}
    </Card>
  );
}

function Destination({ row, isOwn }: { row: DestinationFigures; isOwn: boolean }) {
  const { url, weight, share, clicks, visitors } = row;
  const measured =
    share === null
      ? 'no visitors yet'
      : `${formatShare(share.measured)} measured (${formatShare(share.low)} to ${formatShare(share.high)})`;
  return (
    <div className="min-w-0 grow basis-64">
      <p className="flex min-w-0 items-center gap-2 text-14">
        <bdi dir="ltr" className="truncate" title={url ?? undefined}>
          {url === null ? 'Earlier destinations' : readableUrl(url)}
        </bdi>
        {isOwn && <Badge>Default</Badge>}
        {weight === null && <Badge>Earlier</Badge>}
      </p>
      <p className="mt-0.5 text-13 text-ink-3 tabular-nums">
        {weight === null ? '' : `${weight}% set, ${measured} · `}
        {plural(visitors, 'visitor')} · {plural(clicks, 'click')}
      </p>
    </div>
  );
}

/** Makes a variant the only destination, as an ordinary change of the link that can be undone. */
function useSettle(code: string, present: readonly { url: string | null; weight: number }[]) {
  const send = useSend(
    (body: LinkChange) =>
      api<ListedLink>(`/api/links/${encodeURIComponent(code)}`, { method: 'PATCH', body }),
    [['analytics'], ['my-urls']],
  );
  const [own, ...others] = present.map(({ url, weight }) => ({ url: url ?? '', weight }));
  const restore = (): void =>
    send.mutate(
      { longUrl: own?.url ?? '', variants: others },
      {
        onSuccess: () => toast('The link divides its visitors again.'),
        onError: (error) => toastFailure(error, 'Undo failed.'),
      },
    );
  const choose = (url: string): void =>
    send.mutate(
      { longUrl: url, variants: [] },
      {
        onSuccess: () =>
          toast(`All visitors now get ${readableUrl(url)}.`, {
            action: { label: 'Undo', onSelect: restore },
          }),
        onError: (error) => toastFailure(error, 'The link was not changed.'),
      },
    );
  return { choose, isPending: send.isPending };
}
