import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { PlanPanel } from './plan-panel.tsx';

export function PlanPage() {
  return (
    <SettingsSubpage title="Plan" hint="Your plan, its usage, and the way to another plan.">
      <PlanPanel />
    </SettingsSubpage>
  );
}
