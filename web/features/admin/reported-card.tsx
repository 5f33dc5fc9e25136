import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { api } from '#web/shared/api/api.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';

/** What chats and social networks show for a reported link, with a button that removes it. */
export function ReportedCard({
  card,
  code,
}: {
  card: NonNullable<ReportEvidence['card']>;
  code: string;
}) {
  const remove = useSend(
    () => api(`/api/admin/cards/${encodeURIComponent(code)}`, { method: 'DELETE' }),
    [['admin']],
    () => toast('Preview card removed.'),
  );
  return (
    <div className="flex flex-wrap items-start gap-3">
      {card.image !== null && (
        <img
          src={card.image}
          alt="Preview card"
          className="aspect-[1200/630] w-60 max-w-full rounded-md border border-line object-cover"
        />
      )}
      <div className="min-w-0 flex-1 basis-48 text-14 [overflow-wrap:anywhere]">
        <p dir="auto" className="font-medium">
          {card.title}
        </p>
        <p dir="auto" className="text-ink-2">
          {card.description}
        </p>
        <Button
          size="sm"
          className="mt-2"
          pending={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Remove card
        </Button>
        <ErrorText className="mt-1.5">{remove.error?.message}</ErrorText>
      </div>
    </div>
  );
}
