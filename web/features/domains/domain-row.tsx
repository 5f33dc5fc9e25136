import { Ellipsis, FileSymlink, RefreshCw, Send, Trash2, Undo2 } from 'lucide-react';
import type { Domain } from '#contract/domains.ts';
import { formatAge, formatDate, readableUrl } from '#web/shared/texts/format.ts';
import { SettingsListItem } from '#web/shared/link-settings/settings-list.tsx';
import { useChange } from '#web/shared/api/use-change.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { announce, toast, toastFailure } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { describeChecks, describeDomain, STATES } from './describe-domain.ts';
import { DomainRecords } from './domain-records.tsx';
import {
  checkDomainNow,
  isWaiting,
  useDomainChecks,
  useEndOffer,
  useShowDomain,
} from './queries.ts';

type Props = {
  domain: Domain;
  now: number;
  onPages: () => void;
  onTransfer: () => void;
  onDelete: () => void;
};

export const DomainRow = (props: Props) =>
  props.domain.isShared ? <SharedDomain {...props} /> : <OwnDomain {...props} />;

const SharedDomain = ({ domain: { displayName: shown, name, state } }: Props) => (
  <SettingsListItem
    name={shown}
    badges={
      <>
        <Badge>Shared</Badge>
        {state !== 'active' && <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>}
      </>
    }
    facts={[shown !== name && name]}
    action={null}
  />
);

function OwnDomain({ domain, now, onPages, onTransfer, onDelete }: Props) {
  const { name, displayName: shown, state, records, rootUrl, notFoundUrl } = domain;
  const { label, tone } = STATES[state];
  const show = useShowDomain();
  useDomainChecks(domain);
  useChange(state, () => announce(`${shown}: ${label}. ${describeDomain(domain)}`));
  const check = useSend(checkDomainNow, [], (checked) => {
    show(checked);
    toast(`Checked ${shown}: ${STATES[checked.state].label}.`);
  });
  const withdraw = useEndOffer(() => toast(`Offer of ${shown} withdrawn.`));
  const text = describeDomain(domain);
  return (
    <SettingsListItem
      name={shown}
      badges={<Badge tone={tone}>{label}</Badge>}
      facts={[
        shown !== name && name,
        `Added ${formatDate(domain.createdAt)}`,
        domain.offeredUntil !== null &&
          `Offered to another account until ${formatDate(domain.offeredUntil)}`,
        domain.checkedAt !== null && `Checked ${formatAge(domain.checkedAt, now)}`,
        rootUrl !== '' && `Its root leads to ${readableUrl(rootUrl)}`,
        notFoundUrl !== '' && `Unknown codes lead to ${readableUrl(notFoundUrl)}`,
      ]}
      action={
        // The owner of a suspended domain cannot change it.
        state === 'suspended' ? null : (
          <Menu
            label={`Actions for ${shown}`}
            items={[
              // An unproven domain has no pages, and cannot be transferred.
              ...(state === 'unproven'
                ? []
                : [
                    { label: 'Root and unknown codes', icon: <FileSymlink />, onSelect: onPages },
                    domain.offeredUntil === null
                      ? { label: 'Transfer domain', icon: <Send />, onSelect: onTransfer }
                      : {
                          label: 'Withdraw offer',
                          icon: <Undo2 />,
                          onSelect: () =>
                            withdraw.mutate(name, {
                              onError: (error) =>
                                toastFailure(error, 'We couldn’t withdraw the offer.'),
                            }),
                        },
                  ]),
              { label: 'Delete domain', icon: <Trash2 />, danger: true, onSelect: onDelete },
            ]}
          >
            <Ellipsis className="size-4" />
          </Menu>
        )
      }
      below={
        state === 'suspended' ? null : isWaiting(domain) || state === 'failing' ? (
          <>
            <DomainRecords records={records} />
            <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
              <VanishingButton
                size="sm"
                pending={check.isPending}
                onClick={() =>
                  check.mutate(name, {
                    onError: (error) => toastFailure(error, 'We couldn’t check the domain.'),
                  })
                }
              >
                <RefreshCw className="size-4" />
                Check now
              </VanishingButton>
              <p className="text-13 text-ink-3">{describeChecks(state)}</p>
            </div>
          </>
        ) : (
          records.length > 0 && (
            <details className="mt-2">
              <summary className="cursor-pointer rounded-sm py-1 text-13 text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:py-3">
                DNS records
              </summary>
              <DomainRecords records={records} />
            </details>
          )
        )
      }
    >
      {text !== '' && (
        <p
          className={`mt-1 text-13 [overflow-wrap:anywhere] ${tone === 'bad' ? 'text-bad' : 'text-ink-2'}`}
        >
          {text}
        </p>
      )}
    </SettingsListItem>
  );
}
