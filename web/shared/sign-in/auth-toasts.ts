import { toast } from '#web/ui/announcer.ts';

export const toastPasswordChanged = (text = 'Password changed.'): void =>
  toast(text, { note: 'Your other devices are signed out.' });
