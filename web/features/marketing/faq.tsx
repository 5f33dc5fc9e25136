import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { FEATURES } from '#contract/plans/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { When } from '#web/shared/page/block.tsx';
import { shortHost } from '#web/shared/page/config.ts';
import { PriceSentence } from './price-sentence.tsx';
import { formatNumber, plural } from '#contract/language.ts';
import { PaymentNote } from './payment-note.tsx';

const { free, premium } = PLANS;
const { basicAnalytics, advancedAnalytics } = FEATURES;

/** Lowers the first letter of a text to continue a sentence. */
const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const QUESTIONS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'Do I need an account?',
    answer: `No. Anyone can shorten up to ${VISITOR_LINKS_PER_DAY} links a day. An account adds custom aliases, a list of your links, and analytics.`,
  },
  {
    question: 'Can I downgrade?',
    answer: `Yes, at any time, under Settings: at once or at the end of your cycle. Until then you can change your mind. Your existing links remain and keep redirecting. You can create new links while your usage is below the ${free.name} plan’s limit of ${formatNumber(free.monthlyLimit)} a month.`,
  },
  {
    question: 'How am I billed?',
    answer: (
      <>
        {premium.name} is <PriceSentence />, cancel anytime. <PaymentNote />
      </>
    ),
  },
  {
    question: 'What happens when I reach my limit?',
    answer: `You can’t create new links until your quota resets or, on ${free.name}, you upgrade. Your existing links keep working, and clicks are unlimited on both plans.`,
  },
  {
    question: 'When does my quota reset?',
    answer:
      'Every month, on the day of the month on which your cycle started. Your dashboard shows the date. Deleting a link does not restore quota.',
  },
  {
    question: 'Do links expire?',
    answer:
      'Only if you set an end date. The code of a deleted link is never given to anyone else. You can use the code of your own deleted link again, unless we disabled that link or are reviewing a report about it.',
  },
  {
    question: 'What do basic and advanced analytics include?',
    answer: `${basicAnalytics.name}, on every plan: ${inSentence(basicAnalytics.detail)} ${advancedAnalytics.name}, with ${premium.name}, add: ${inSentence(advancedAnalytics.detail)} Clicks are counted the same on every plan, so an upgrade also shows the past.`,
  },
  {
    question: 'Do bots count as clicks?',
    answer:
      'No. Search engines, chat previews and mail scanners are counted separately and shown beside your total.',
  },
  {
    question: 'Can I use my own domain?',
    answer: (
      <When
        setting="ownDomains"
        otherwise={`Custom domains are coming soon. For now, short links use ours, such as ${shortHost()}.`}
      >
        {`Yes, on every plan: ${plural(free.domains, 'domain')} on ${free.name}, ${premium.domains} on ${premium.name}. Add it in Settings and enter two records at your DNS provider. We take care of HTTPS.`}
      </When>
    ),
  },
  {
    question: 'Is there an API?',
    answer: `Yes, on every plan: create a key in Settings. A key may send ${free.apiRequests} requests a minute on ${free.name}, and ${premium.apiRequests} on ${premium.name}. Creating many links in one request is part of ${premium.name}.`,
  },
  {
    question: 'Can my systems be told about changes and clicks?',
    answer: `Yes, on every plan, with webhooks: signed requests to an address of yours when a link is created, changed, disabled, deleted or clicked. ${free.name} includes ${free.webhooks} webhooks with ${formatNumber(free.webhookDeliveries)} deliveries a day, ${premium.name} ${premium.webhooks} with ${formatNumber(premium.webhookDeliveries)}.`,
  },
];

/**
 * Frequently asked questions. Native <details> elements work by keyboard, and the browser's search
 * finds their text.
 */
export function Faq() {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface">
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} className="group" name="faq">
          <summary className="flex list-none items-center justify-between gap-4 rounded-lg px-4 py-3.5 text-16 font-medium -outline-offset-2 sm:px-5 [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown className="size-4 shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-180" />
          </summary>
          <p className="max-w-[65ch] px-4 pb-4 text-14 leading-6 text-ink-2 sm:px-5">{answer}</p>
        </details>
      ))}
    </div>
  );
}
