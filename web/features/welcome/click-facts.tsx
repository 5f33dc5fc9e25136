import { Check, X } from 'lucide-react';
import { CLICK_STORAGE } from '#contract/reports/click-storage.ts';
import { KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { MyClick } from './my-click.tsx';
import { sectionTitleClass } from './home-section.tsx';

const STORED = {
  title: 'Stored',
  stored: true,
  lines: [
    'Time, country and city',
    'Device type, browser and operating system',
    'The site the click came from, but not the page',
    'Whether it was a scan, and the campaign in the address',
    CLICK_STORAGE,
  ],
} as const;
const NEVER_STORED = {
  title: 'Never stored',
  stored: false,
  lines: [
    'IP addresses, not even in logs',
    `Anything that identifies a visitor after ${KEEP_VISITOR_KEYS_HOURS} hours`,
    'Cookies: redirects set none',
    'Any visitor key under Do Not Track or GPC',
  ],
} as const;

export function ClickFacts() {
  return (
    <section
      id="stored"
      tabIndex={-1}
      aria-labelledby="stored-title"
      className="grid scroll-mt-20 gap-x-12 gap-y-6 lg:grid-cols-[1fr_1.6fr]"
    >
      <div>
        <h2 id="stored-title" className={sectionTitleClass}>
          What we store, and what we never do
        </h2>
        <p className="mt-2 max-w-[40ch] text-16 text-ink-2">
          Enough to see how your link performs. Not enough to see who followed it. The{' '}
          <Link to="/privacy" className={textLinkClass}>
            privacy page
          </Link>{' '}
          has the details.
        </p>
      </div>
      <div className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2">
        <Facts {...STORED} />
        <Facts {...NEVER_STORED} />
        <MyClick />
      </div>
    </section>
  );
}

function Facts({
  title,
  lines,
  stored,
}: {
  title: string;
  lines: readonly string[];
  stored: boolean;
}) {
  const Icon = stored ? Check : X;
  return (
    <div className="bg-surface p-5 sm:p-6">
      <h3 className="text-13 text-ink-3">{title}</h3>
      <ul className="mt-3 space-y-2.5 text-14">
        {lines.map((line) => (
          <li key={line} className="flex gap-2.5">
            <Icon className={`mt-0.5 size-4 shrink-0 ${stored ? 'text-good' : 'text-ink-3'}`} />
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
