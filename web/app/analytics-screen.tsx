import { Suspense, useState } from 'react';
import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { AnalyticsPage } from '#web/features/analytics/link/analytics-page.tsx';
import { reportQuery } from '#web/features/analytics/queries.ts';
import { parseSelection } from '#web/features/analytics/range.ts';
import { prefetchMe } from '#web/shared/api/use-me.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { decodeUri } from './decode-uri.ts';
import { queries } from './query-client.tsx';
import { SharePopup } from './share-popup.ts';
import { useUpgradePopup } from './upgrade-popup.tsx';

/** Most visits do not open the QR code, so its code loads on demand. */
const QrCode = lazyOr(
  () => import('#web/shared/qr/qr-code.tsx').then((m) => m.QrCode),
  () => (
    <ErrorLine
      message="The QR code could not be loaded."
      query={{ refetch: () => window.location.reload(), isManual: true }}
    />
  ),
);

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
  const [upgrade, upgradePopup] = useUpgradePopup('analytics');
  const [sharedCode, setSharedCode] = useState<string | null>(null);
  return (
    <>
      <AnalyticsPage
        onUpgrade={upgrade}
        onShare={setSharedCode}
        renderQr={(code) => (
          // The placeholder is as large as the image with its buttons.
          <Suspense fallback={<Skeleton className="size-28 sm:h-58 sm:w-40" />}>
            <QrCode code={code} name={codeOfKey(code)} own />
          </Suspense>
        )}
      />
      {sharedCode !== null && (
        <SharePopup
          subject={{ kind: 'link', code: sharedCode }}
          title={`Clicks on ${codeOfKey(sharedCode)}`}
          onClose={() => setSharedCode(null)}
        />
      )}
      {upgradePopup}
    </>
  );
}
