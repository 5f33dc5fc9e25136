import { useState } from 'react';
import { AnalyticsPage } from '#web/features/analytics/analytics-page.tsx';
import { reportQuery } from '#web/features/analytics/queries.ts';
import { parseSelection } from '#web/features/analytics/range.ts';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { QrCode } from '#web/shared/qr-code.tsx';
import { prefetchMe } from '#web/shared/use-me.ts';
import { decodeUri } from './decode-uri.ts';
import { queries } from './query-client.tsx';
import { SharePopup } from './share-popup.ts';

/** Loads the report of the link at `pathname`, so that the page renders complete. */
export async function prefetchAnalytics(pathname: string): Promise<void> {
  const code = pathname.slice('/analytics/'.length);
  const range = parseSelection(new URLSearchParams(window.location.search));
  // Without the plan, the page would reserve space for an ad.
  await Promise.all([
    queries.prefetchQuery(reportQuery(decodeUri(code, code), range)),
    prefetchMe(),
  ]);
}

export function AnalyticsScreen() {
  /**
   * Null until the dialog first opens, because it loads the subscription, which most visits do not
   * need.
   */
  const [upgrading, setUpgrading] = useState<boolean | null>(null);
  const [sharedCode, setSharedCode] = useState<string | null>(null);
  const close = (): void => {
    setUpgrading(false);
    // The report depends on the plan, which may have changed.
    void queries.invalidateQueries({ queryKey: ['analytics'] });
  };
  return (
    <>
      <AnalyticsPage
        onUpgrade={() => setUpgrading(true)}
        onShare={setSharedCode}
        renderQr={(code) => <QrCode code={code} own />}
      />
      {sharedCode !== null && (
        <SharePopup
          subject={{ kind: 'link', code: sharedCode }}
          title={`Clicks on ${sharedCode}`}
          onClose={() => setSharedCode(null)}
        />
      )}
      {upgrading !== null && <UpgradeDialog open={upgrading} onClose={close} />}
    </>
  );
}
