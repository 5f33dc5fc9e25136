import { Lock } from 'lucide-react';
import { FEATURES } from '#contract/plans/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { browserName, systemName } from '#web/features/analytics/names/agent-names.ts';
import { SourceGlyph } from '#web/features/analytics/names/source-glyph.tsx';
import { sourceSite } from '#web/features/analytics/names/sources.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { countsView, listView, type CardProps } from './card-views.tsx';
import type { CardSpec } from './grid-card.tsx';

export function devicesCard(props: CardProps): CardSpec {
  const { clicksByDevice, clicksByBrowser, clicksByOs } = props.analytics;
  return {
    title: 'Clicks by Device',
    label: 'Devices',
    param: 'devices',
    hint: 'Derived from what the browser says about itself.',
    views: [
      countsView(props, 'Type', {
        title: 'Devices',
        counts: clicksByDevice,
        dimension: 'device',
        readClick: (click) => click.device_type,
      }),
      ...(clicksByBrowser === undefined
        ? []
        : [
            countsView(props, 'Browser', {
              title: 'Browsers',
              counts: clicksByBrowser,
              dimension: 'browser',
              readClick: (click) => click.browser,
              look: (name) => ({ text: browserName(name) }),
            }),
          ]),
      ...(clicksByOs === undefined
        ? []
        : [
            countsView(props, 'System', {
              title: 'Systems',
              counts: clicksByOs,
              dimension: 'os',
              readClick: (click) => click.os,
              look: (name) => ({ text: systemName(name) }),
            }),
          ]),
    ],
  };
}

/** The sites that clicks came from, the campaigns of the links, and the scans of their QR codes. */
export function sourcesCard(props: CardProps): CardSpec {
  const { clicksByReferrer, clicksByUtmSource, clicksByUtmMedium, clicksByUtmCampaign } =
    props.analytics;
  const campaigns = [
    ['Campaigns', 'Campaigns', clicksByUtmCampaign],
    ['UTM source', 'Campaign sources', clicksByUtmSource],
    ['UTM medium', 'Campaign media', clicksByUtmMedium],
  ] as const;
  const { qrScans } = props.analytics;
  return {
    title: 'Sources',
    label: 'Sources',
    param: 'sources',
    hint: 'The sites that clicks came from; those without one, for example from apps, are Direct. Campaigns are the UTM values of the destination when it was clicked, or else those that the link forwarded. Scans are of the link’s QR code.',
    views: [
      ...(clicksByReferrer === undefined
        ? []
        : [
            countsView(props, 'Sites', {
              title: 'Sources',
              counts: clicksByReferrer,
              dimension: 'referrer',
              readClick: (click) => click.referrer,
              look: lookOfSource(Object.keys(clicksByReferrer ?? {})),
            }),
          ]),
      ...campaigns.flatMap(([name, title, counts]) =>
        counts === undefined || counts === null || Object.keys(counts).length === 0
          ? []
          : [countsView(props, name, { title, counts, dimension: null })],
      ),
      ...(qrScans == null || qrScans === 0 ? [] : [scansView(props, qrScans)]),
    ],
  };
}

/** Names a source, with its host where two hosts of a site are listed. */
function lookOfSource(hosts: readonly string[]) {
  const seen = new Map<string, number>();
  for (const host of hosts) {
    const { name } = sourceSite(host);
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return (host: string) => {
    const { name, glyph } = sourceSite(host);
    return {
      text: name,
      icon: <SourceGlyph glyph={glyph} />,
      ...((seen.get(name) ?? 0) > 1 && { detail: host }),
    };
  };
}

function scansView({ analytics: { totalClicks } }: CardProps, scans: number) {
  const row = (key: string, clicks: number, icon?: React.ReactNode) => ({
    key,
    text: key,
    icon,
    clicks,
    chosen: false,
    onChoose: null,
  });
  return listView(
    'Scans',
    [
      row('Scans of the QR code', scans, <SourceGlyph glyph="qr" />),
      row('Clicks on the link', Math.max(0, totalClicks - scans), <SourceGlyph glyph={null} />),
    ],
    totalClicks,
    { title: 'Scans' },
  );
}

/**
 * Says what the plan does not include. `onUpgrade` is null for administrators, who cannot upgrade
 * the owner here.
 */
export function LockedPanel({ onUpgrade }: { onUpgrade: (() => void) | null }) {
  const { name, detail } = FEATURES.advancedAnalytics;
  return (
    <Card className="flex flex-col justify-center px-4 py-4 sm:px-5">
      <div className="relative flex flex-wrap items-center gap-x-4 gap-y-3 sm:ps-8">
        <Lock className="absolute inset-s-0 top-0.5 size-4 text-ink-3 max-sm:hidden" />
        <section aria-label={name} className="min-w-0 flex-1 basis-64">
          <h2 className="text-14 font-medium">{name}</h2>
          <p className="mt-0.5 text-13 text-ink-3">
            {detail}{' '}
            {onUpgrade === null
              ? 'The plan of this link’s owner does not include them.'
              : `With ${PLANS.premium.name} you see them for past clicks, too.`}
          </p>
        </section>
        {onUpgrade !== null && <Button onClick={onUpgrade}>Upgrade to {PLANS.premium.name}</Button>}
      </div>
    </Card>
  );
}
