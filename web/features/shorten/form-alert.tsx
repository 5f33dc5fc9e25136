import { CircleAlert } from 'lucide-react';
import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { ErrorMessage } from '#web/ui/error-message.tsx';
import { LinkPair } from '#web/ui/link-pair.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';

/** Says why no link was made if no field is to blame, and what to do. */
export function FormAlert({
  text,
  isVisitorLimit,
  onUpgrade,
}: {
  text: string;
  /** True for a visitor who has reached a limit. The typed link is stored for them. */
  isVisitorLimit: boolean;
  /** Null where a bigger plan does not help. */
  onUpgrade: (() => void) | null;
}) {
  if (isVisitorLimit) return <LimitInvitation text={text} />;
  return (
    <div
      role="alert"
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-transparent bg-bad-soft px-3 py-2.5 text-14 text-bad"
    >
      <CircleAlert className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 basis-52">
        <ErrorMessage>{text}</ErrorMessage>
      </p>
      {onUpgrade !== null && (
        <VanishingButton size="sm" onClick={onUpgrade}>
          See plans
        </VanishingButton>
      )}
    </div>
  );
}

/** Says which limit a visitor has reached and what an account offers. */
function LimitInvitation({ text }: { text: string }) {
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
