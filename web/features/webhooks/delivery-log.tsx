import { ChevronRight } from 'lucide-react';
import type { WebhookDelivery } from '#contract/webhooks/webhooks.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatAge, formatDateTime } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useDeliveries, useReplayDelivery } from './queries.ts';

const STATUSES = {
  waiting: { label: 'Waiting', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const;

export function DeliveryLog({ webhookId, now }: { webhookId: string; now: number }) {
  const query = useDeliveries(webhookId);
  const replay = useReplayDelivery(webhookId, showResult);
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  if (query.isPending)
    return (
      <Loading label="Loading deliveries…">
        <div className="mt-3 space-y-3">
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-full" />
        </div>
      </Loading>
    );
  const send = (id: number): void =>
    replay.mutate(id, {
      onError: (error) => toastFailure(error, 'We couldn’t send it again.'),
    });
  return (
    <section aria-label="Deliveries" className="mt-3 rounded-md border border-line">
      {query.isError && (
        <div className="p-3">
          <ErrorLine message="We couldn’t load the deliveries." query={query} />
        </div>
      )}
      {deliveries.length === 0 && !query.isError && (
        <EmptyState title="Nothing delivered yet">Change a link, or send a test event.</EmptyState>
      )}
      <ul className="divide-y divide-line">
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            now={now}
            pending={replay.isPending && replay.variables === delivery.id}
            onReplay={() => send(delivery.id)}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <LoadMore shown={plural(deliveries.length, 'delivery', 'deliveries')} next={query} />
      )}
    </section>
  );
}

function DeliveryRow({
  delivery,
  now,
  pending,
  onReplay,
}: {
  delivery: WebhookDelivery;
  now: number;
  pending: boolean;
  onReplay: () => void;
}) {
  const { type, status, createdAt, attempts, nextAttemptAt, response, error, body, messageId } =
    delivery;
  const { label, tone } = STATUSES[status];
  const facts = [
    plural(attempts, 'attempt'),
    ...(response === null
      ? []
      : [`answered ${response.status} in ${formatNumber(response.durationMs)} ms`]),
    ...(nextAttemptAt === null || attempts === 0 ? [] : [`next ${formatDateTime(nextAttemptAt)}`]),
  ];
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-11 list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-3 py-2 text-13 -outline-offset-2 hover:bg-hover active:bg-pressed [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 text-ink-3 group-open:rotate-90 rtl:not-group-open:-scale-x-100" />
          <Badge tone={tone}>{label}</Badge>
          <span className="flex-auto font-mono">{type}</span>
          <Time at={createdAt} className="text-ink-3">
            {formatAge(createdAt, now)}
          </Time>
        </summary>
        <div className="space-y-3 px-3 pt-2 pb-3 text-13">
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            {facts.join(' · ')}
            {error !== null && <span className="block text-bad">{error}</span>}
          </p>
          <Block title="Event">{formatted(body)}</Block>
          {response !== null && response.text !== '' && (
            <Block title="Answer">{response.text}</Block>
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <code className="min-w-0 font-mono text-12 text-ink-3 [overflow-wrap:anywhere]">
              {messageId}
            </code>
            <Button size="sm" disabled={status === 'waiting'} pending={pending} onClick={onReplay}>
              Send again
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}

function Block({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <p className="mb-1 font-medium">{title}</p>
      <pre className="rounded-md border border-line bg-sunken p-2 font-mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {children}
      </pre>
    </div>
  );
}

const formatted = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

/** Shows in a toast how the endpoint responded to a test event. */
export function showResult({ status, response, error }: WebhookDelivery): void {
  if (status === 'delivered') {
    const answer =
      response === null
        ? ''
        : ` with ${response.status} in ${formatNumber(response.durationMs)} ms`;
    toast(`The endpoint accepted the event${answer}.`);
  } else toast('The endpoint did not accept the event.', { tone: 'bad', note: error ?? '' });
}
