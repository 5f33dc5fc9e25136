import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { LinkPair } from '#web/ui/link-pair.tsx';

/**
 * Tells a visitor which limit was reached and what an account offers. The typed link is stored for
 * them.
 */
export function LimitInvitation({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:px-5"
    >
      <div className="min-w-0 flex-1 basis-72 text-14">
        <p className="font-medium">{text}</p>
        <p className="mt-0.5 text-ink-2">
          A free account has {formatNumber(PLANS.free.monthlyLimit)} links a month, your own aliases
          and the clicks on every link.
        </p>
      </div>
      <LinkPair
        first={{ to: '/auth?tab=sign-up&next=%2F', label: 'Sign up for free' }}
        second={{ to: '/auth?next=%2F', label: 'Sign in' }}
      />
    </div>
  );
}
