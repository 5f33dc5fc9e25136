import { useState } from 'react';
import { OverviewPage } from '#web/features/analytics/overview/overview-page.tsx';
import { LivePicture } from './live-picture.tsx';
import { queries } from './query-client.tsx';
import { UpgradePopup } from './upgrade-popup.ts';

export function OverviewScreen() {
  /** Null until the dialog first opens, because it loads the subscription. */
  const [upgrading, setUpgrading] = useState<boolean | null>(null);
  const close = (): void => {
    setUpgrading(false);
    // The overview depends on the plan, which may have changed.
    void queries.invalidateQueries({ queryKey: ['overview'] });
  };
  return (
    <>
      <OverviewPage
        onUpgrade={() => setUpgrading(true)}
        renderLive={(shown) => <LivePicture {...shown} />}
      />
      {upgrading !== null && <UpgradePopup open={upgrading} onClose={close} />}
    </>
  );
}
