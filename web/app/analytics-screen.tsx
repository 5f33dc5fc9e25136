import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AnalyticsPage } from '#web/features/analytics/analytics-page.tsx';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { QrCode } from '#web/shared/qr-code.tsx';

/** The analytics of one link, with the choice of plans. */
export function AnalyticsScreen() {
  const queries = useQueryClient();
  /** Null until the dialog is opened for the first time: it loads the subscription, which most visits do not need. */
  const [upgrading, setUpgrading] = useState<boolean | null>(null);
  const close = (): void => {
    setUpgrading(false);
    // The report depends on the plan, which may have changed.
    void queries.invalidateQueries({ queryKey: ['analytics'] });
  };
  return (
    <>
      <AnalyticsPage onUpgrade={() => setUpgrading(true)} renderQr={(code) => <QrCode code={code} />} />
      {upgrading !== null && <UpgradeDialog open={upgrading} onClose={close} />}
    </>
  );
}
