import { CircleAlert, Mail } from 'lucide-react';
import type { ReactNode } from 'react';

/** What the form answers as a whole: the service's refusal, or that a mail is on its way. */
export function Notice({ tone, children }: { tone: 'bad' | 'mail'; children: ReactNode }) {
  const Icon = tone === 'bad' ? CircleAlert : Mail;
  return (
    <div
      role="alert"
      className={`flex items-start gap-2.5 rounded-md px-3 py-2.5 text-14 ${tone === 'bad' ? 'bg-bad-soft text-bad' : 'bg-accent-soft text-ink'}`}
    >
      <Icon className={`mt-0.5 size-4 shrink-0 ${tone === 'mail' ? 'text-accent' : ''}`} aria-hidden="true" />
      <div className="min-w-0 flex-1 space-y-2 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}
