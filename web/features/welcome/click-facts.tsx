import { Check, X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { KEEP_RECENT_CLICKS_DAYS, KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';

const KEPT = [
  'The day, the country and the city',
  'Device type, browser and system',
  'The site the click came from, not the page',
  `Single clicks for ${KEEP_RECENT_CLICKS_DAYS} days, then only their sums`,
] as const;
const NOT_KEPT = [
  'IP addresses, anywhere, not even in logs',
  `Any key to a person for longer than ${KEEP_VISITOR_KEYS_HOURS} hours`,
  'Cookies on the way to the target',
  'A visitor key at all under Do Not Track or GPC',
] as const;

/** What a click leaves behind, in the two lists that matter. */
export function ClickFacts() {
  return (
    <section aria-labelledby="pitch-clicks" className="grid gap-x-12 gap-y-6 lg:grid-cols-[1fr_1.6fr]">
      <div>
        <h2 id="pitch-clicks" className="text-24 font-semibold tracking-tight sm:text-32">
          What a click leaves behind
        </h2>
        <p className="mt-2 max-w-[40ch] text-16 text-ink-2">
          Enough to know whether your link works. Not enough to know who followed it. The{' '}
          <Link to="/privacy" className={textLinkClass}>
            privacy page
          </Link>{' '}
          has every detail.
        </p>
      </div>
      <div className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        <Facts title="Kept" lines={KEPT} kept />
        <Facts title="Never kept" lines={NOT_KEPT} />
      </div>
    </section>
  );
}

function Facts({ title, lines, kept = false }: { title: string; lines: readonly string[]; kept?: boolean }) {
  const Icon = kept ? Check : X;
  return (
    <div className="bg-surface p-5 sm:p-6">
      <h3 className="text-13 text-ink-3">{title}</h3>
      <ul className="mt-3 space-y-2.5 text-14">
        {lines.map((line) => (
          <li key={line} className="flex gap-2.5">
            <Icon className={`mt-0.5 size-4 shrink-0 ${kept ? 'text-good' : 'text-ink-3'}`} aria-hidden="true" />
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
