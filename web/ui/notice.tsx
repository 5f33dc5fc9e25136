import { CircleAlert, Mail, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  bad: { Icon: CircleAlert, box: 'bg-bad-soft text-bad', icon: '' },
  warn: { Icon: TriangleAlert, box: 'bg-warn-soft text-ink', icon: 'text-warn' },
  mail: { Icon: Mail, box: 'bg-accent-soft text-ink', icon: 'text-accent' },
} as const;

/** A message about a whole form: an error, a warning, or that a mail was sent. */
export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  const { Icon, box, icon } = TONES[tone];
  return (
    <div
      role="alert"
      className={`flex items-start gap-2.5 rounded-md px-3 py-2.5 text-14 forced-colors:border ${box}`}
    >
      <Icon className={`mt-0.5 size-4 shrink-0 ${icon}`} />
      <div className="min-w-0 flex-1 space-y-2 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}
