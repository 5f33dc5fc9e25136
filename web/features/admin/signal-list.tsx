import { OctagonAlert, CircleCheck, CircleHelp, CircleAlert } from 'lucide-react';
import { SIGNAL_TITLES, type Signal, type SignalState } from '#contract/system.ts';
import { formatAge, formatDateTime } from '#web/shared/format.ts';
import { Card } from '#web/ui/card.tsx';

/** Problems come first. */
const ORDER: readonly SignalState[] = ['bad', 'warn', 'unknown', 'ok'];
const LOOKS = {
  bad: { Icon: OctagonAlert, tone: 'text-bad', label: 'Fault' },
  warn: { Icon: CircleAlert, tone: 'text-warn', label: 'Warning' },
  unknown: { Icon: CircleHelp, tone: 'text-ink-3', label: 'Unknown' },
  ok: { Icon: CircleCheck, tone: 'text-good', label: 'Fine' },
} as const;

/** Shows a line per signal: its name, a sentence about it and its figure. */
export function SignalList({ signals, now }: { signals: readonly Signal[]; now: number }) {
  const sorted = signals.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return (
    <Card>
      <ul aria-label="Signals" className="divide-y divide-line">
        {sorted.map((signal) => (
          <SignalLine key={signal.signal} signal={signal} now={now} />
        ))}
      </ul>
    </Card>
  );
}

function SignalLine({
  signal: { signal, state, sentence, figure, since },
  now,
}: {
  signal: Signal;
  now: number;
}) {
  const { Icon, tone, label } = LOOKS[state];
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 text-14 sm:px-5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1 gap-x-3 sm:flex">
        <p className="shrink-0 font-medium max-sm:pe-28 sm:w-32">
          {SIGNAL_TITLES[signal]}
          <span className="sr-only">: {label}.</span>
        </p>
        <div className="min-w-0 flex-1">
          <p className={state === 'ok' || state === 'unknown' ? 'text-ink-2' : 'text-ink'}>
            {sentence}
          </p>
          {since !== null && (
            <p className="text-13 text-ink-3">
              Since <time dateTime={since}>{formatDateTime(since)}</time>, {formatAge(since, now)}
            </p>
          )}
        </div>
      </div>
      {figure !== '' && (
        <p className="shrink-0 text-13 whitespace-nowrap text-ink-3 tabular-nums max-sm:absolute max-sm:inset-e-4">
          {figure}
        </p>
      )}
    </li>
  );
}
