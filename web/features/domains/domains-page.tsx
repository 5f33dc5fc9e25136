import { useState, type ReactNode } from 'react';
import type { Domain, DomainsResponse } from '#contract/domains.ts';
import { plural } from '#contract/language.ts';
import { PLANS } from '#contract/site.ts';
import { shortHost } from '#web/shared/page/config.ts';
import { SettingsList } from '#web/shared/link-settings/settings-list.tsx';
import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { DefaultDomain } from './default-domain.tsx';
import { DeleteDomainDialog } from './delete-domain-dialog.tsx';
import { DomainPagesDialog } from './domain-pages-dialog.tsx';
import { DomainOffers } from './domain-offers.tsx';
import { DomainRow } from './domain-row.tsx';
import { TransferDomainDialog } from './transfer-domain-dialog.tsx';
import { useDomains } from './queries.ts';

/** Manages the hosts on which the member makes short links. */
export function DomainsPage() {
  const query = useDomains();
  const { data } = query;
  const [dialog, setDialog] = useState<ReactNode>(null);
  const close = (): void => setDialog(null);
  const openForm = (): void => setDialog(<AddDomainDialog onClose={close} />);
  const openPages = (domain: Domain): void =>
    setDialog(<DomainPagesDialog domain={domain} onClose={close} />);
  const openTransfer = (domain: Domain): void =>
    setDialog(<TransferDomainDialog domain={domain} onClose={close} />);
  const openRemoval = (domain: Domain): void =>
    setDialog(<DeleteDomainDialog domain={domain} onClose={close} />);
  const own = data?.domains.filter((domain) => !domain.isShared) ?? [];
  const canAdd = data?.canAdd ?? false;
  const isFull = data !== undefined && own.length >= data.limit;
  const addButton = canAdd && (
    <Button variant="primary" disabled={isFull} onClick={openForm}>
      Add domain
    </Button>
  );
  const hasDomains = data !== undefined && data.domains.length > 0;
  return (
    <SettingsSubpage
      title="Domains"
      hint="The hosts of your short links."
      action={hasDomains && addButton}
    >
      {data !== undefined && data.offers.length > 0 && <DomainOffers offers={data.offers} />}
      <SettingsList
        query={query}
        items={data?.domains}
        noun="domains"
        skeleton={{ rows: 1, bars: ['h-4 w-48 max-w-full', 'h-3 w-64'] }}
        empty={<NoDomains action={addButton} />}
      >
        {(domain) => (
          <DomainRow
            key={domain.name}
            domain={domain}
            now={query.dataUpdatedAt}
            onPages={() => openPages(domain)}
            onTransfer={() => openTransfer(domain)}
            onDelete={() => openRemoval(domain)}
          />
        )}
      </SettingsList>
      {data !== undefined && <Limit list={data} own={own} />}
      {data !== undefined && <DefaultDomain list={data} />}
      {dialog}
    </SettingsSubpage>
  );
}

const NoDomains = ({ action }: { action: ReactNode }) =>
  action === false ? (
    <EmptyState title="No other domains here">
      {`This site doesn’t offer domains. All short links are on ${shortHost()}.`}
    </EmptyState>
  ) : (
    <EmptyState title="No domains yet" action={action}>
      {`Put your own name on your short links: go.example.com instead of ${shortHost()}. You enter two records at your DNS provider, and we take care of HTTPS.`}
    </EmptyState>
  );

/** How many domains the plan includes, and the way to more. */
function Limit({ list, own }: { list: DomainsResponse; own: readonly Domain[] }) {
  if (!list.canAdd)
    return (
      list.domains.length > 0 && (
        <p className="mt-3 text-13 text-ink-3">
          Every member can make links here. This site doesn’t offer domains of your own.
        </p>
      )
    );
  const hasShared = list.domains.some(({ isShared }) => isShared);
  const included = `${hasShared ? 'Every member can make links on shared domains. ' : ''}Your plan includes ${plural(list.limit, 'domain')} of your own.`;
  if (own.length < list.limit) return <p className="mt-3 text-13 text-ink-3">{included}</p>;
  const canUpgrade = list.limit < PLANS.premium.domains;
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="text-13 text-ink-2">
        {canUpgrade
          ? `${included} ${PLANS.premium.name} includes ${PLANS.premium.domains}.`
          : `${included} Delete one to add another.`}
      </p>
      {canUpgrade && (
        <LinkButton size="sm" to="/settings/plan">
          See plans
        </LinkButton>
      )}
    </div>
  );
}
