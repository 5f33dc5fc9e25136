import { OverviewPage } from '#web/features/analytics/overview/overview-page.tsx';
import { LivePicture } from './live-picture.tsx';
import { useUpgradePopup } from './upgrade-popup.tsx';

export function OverviewScreen() {
  const [upgrade, upgradePopup] = useUpgradePopup('overview');
  return (
    <>
      <OverviewPage onUpgrade={upgrade} renderLive={(shown) => <LivePicture {...shown} />} />
      {upgradePopup}
    </>
  );
}
