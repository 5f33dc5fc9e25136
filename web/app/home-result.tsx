import type { ShortenResponse } from '#contract/links/links.ts';
import { MemberActions, ResultCard } from '#web/features/shorten/result-card.tsx';
import { KeepLinkOffer } from '#web/features/welcome/keep-link-offer.tsx';
import { ResultAd } from '#web/shared/plans/ad-slot.tsx';
import { useEditLink } from './use-edit-link.tsx';

/**
 * A new link on Home, with the offers for visitors below it. It loads when somebody uses the form.
 */
export function HomeResult({
  link,
  takeFocus,
  isNew,
  member,
}: {
  link: ShortenResponse;
  takeFocus: boolean;
  isNew: boolean;
  member: boolean;
}) {
  const edit = useEditLink();
  return (
    <div data-result="" className="col-start-1 row-start-1 min-w-0 space-y-4">
      <ResultCard
        key={link.code}
        link={link}
        takeFocus={takeFocus}
        isNew={isNew}
        member={member}
        actions={
          member && (
            <MemberActions
              code={link.code}
              pending={edit.pending}
              onEdit={() => edit.run(link.code)}
            />
          )
        }
      />
      {edit.dialog}
      {!member && <KeepLinkOffer />}
      <ResultAd />
    </div>
  );
}
