import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { AccountExportPanel } from './export-panel.tsx';

export function DataPage() {
  return (
    <SettingsSubpage title="Data" hint="Take your account and your links with you.">
      <AccountExportPanel />
    </SettingsSubpage>
  );
}
