import { SettingsPage as Settings } from '#web/features/account/settings-page.tsx';
import { WeeklyMailPanel } from '#web/features/weekly-mail/weekly-mail-panel.tsx';

export function SettingsPage() {
  return <Settings weeklyMail={<WeeklyMailPanel />} />;
}
