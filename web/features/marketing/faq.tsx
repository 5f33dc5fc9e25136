import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { PLANS, priceText } from '#contract/site.ts';
import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { config, shortHost } from '#web/shared/config.ts';
import { formatNumber } from '#web/shared/format.ts';

const { free, premium } = PLANS;

const payment =
  config.billing === 'demo'
    ? 'This installation is a demonstration: an upgrade takes effect at once and no money changes hands.'
    : 'No payment provider is connected yet. Please contact support for a manual upgrade.';

const QUESTIONS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'Do I need an account?',
    answer: `No. Anyone can shorten up to ${VISITOR_LINKS_PER_DAY} links a day. An account adds your own aliases, a list of your links, and analytics.`,
  },
  {
    question: 'Can I downgrade?',
    answer: `Yes, whenever you like. Your existing links remain and keep redirecting. You can make new ones as soon as your usage is under the ${formatNumber(free.monthlyLimit)} of the ${free.name} plan.`,
  },
  {
    question: 'How am I billed?',
    answer: `${premium.name} is ${priceText(premium.price)} per month, billed monthly, cancel anytime. ${payment}`,
  },
  {
    question: 'What happens when I reach my limit?',
    answer:
      'You cannot make new links until the next month of your plan begins, or until you upgrade. Links you have made are not touched, and clicks are not limited in either plan.',
  },
  {
    question: 'When does the counter start again?',
    answer:
      'One month after your cycle began, on the same day of the month. Your dashboard shows the date. Deleting a link does not give its place back.',
  },
  {
    question: 'Do links expire?',
    answer: 'Not unless you set a date yourself. A code that you delete is never given to anybody else.',
  },
  {
    question: 'Do bots count as clicks?',
    answer: 'No. Search engines, chat previews and mail scanners are recognised and shown beside your total, not in it.',
  },
  {
    question: 'Can I use my own domain?',
    answer: `Custom domains are coming soon. Until then every short link is on ${shortHost()}.`,
  },
  { question: 'Is there an API?', answer: 'API access is coming soon.' },
];

/** Questions that open on a press of their own: native, so that they work with a keyboard and are found by the browser's search. */
export function Faq() {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface">
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} className="group" name="faq">
          <summary className="flex list-none items-center justify-between gap-4 rounded-lg px-4 py-3.5 text-16 font-medium -outline-offset-2 sm:px-5 [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              className="size-4 shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-180"
              aria-hidden="true"
            />
          </summary>
          <p className="max-w-[65ch] px-4 pb-4 text-14 leading-6 text-ink-2 sm:px-5">{answer}</p>
        </details>
      ))}
    </div>
  );
}
