import { SettingsPage as Settings } from '#web/features/account/settings-page.tsx';
import { PlanPanel } from '#web/features/plans/plan-panel.tsx';

export function SettingsPage() {
  return <Settings plan={<PlanPanel />} />;
}
