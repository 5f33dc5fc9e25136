import type { DomainOffer } from '#contract/domains.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { acceptOffer, DOMAIN_AND_LINK_QUERIES, useEndOffer } from './queries.ts';

/** Domains that other accounts want to give to this one. */
export const DomainOffers = ({ offers }: { offers: readonly DomainOffer[] }) => (
  <div className="mb-6">
    <Panel title="Offered to you" hint="The name moves to your account, without its links.">
      <ul className="m-0 list-none space-y-4 p-0">
        {offers.map((offer) => (
          <Offer key={offer.name} offer={offer} />
        ))}
      </ul>
    </Panel>
  </div>
);

function Offer({ offer: { name, displayName: shown, from } }: { offer: DomainOffer }) {
  const accept = useSend(acceptOffer, DOMAIN_AND_LINK_QUERIES, () =>
    toast(`${shown} is yours now.`),
  );
  const decline = useEndOffer(() => toast(`${shown} declined.`));
  return (
    <li>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-14 [overflow-wrap:anywhere]">
          <span className="font-medium">{shown}</span>
          {shown !== name && <span className="text-ink-3"> ({name})</span>}
          <span className="text-ink-2"> from {from}</span>
        </p>
        <div className="flex gap-2">
          <VanishingButton
            size="sm"
            pending={decline.isPending}
            aria-label={`Decline ${shown}`}
            onClick={() => decline.mutate(name)}
          >
            Decline
          </VanishingButton>
          <VanishingButton
            size="sm"
            variant="primary"
            pending={accept.isPending}
            aria-label={`Accept ${shown}`}
            onClick={() => accept.mutate(name)}
          >
            Accept
          </VanishingButton>
        </div>
      </div>
      <ErrorText className="mt-1.5">{accept.error?.message ?? decline.error?.message}</ErrorText>
    </li>
  );
}
