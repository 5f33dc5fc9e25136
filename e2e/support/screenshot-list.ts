import { API_KEY_SCREENSHOTS } from './screenshots-api-keys.ts';
import type { Screenshot } from './screenshot.ts';
import { ADMIN_SCREENSHOTS } from './screenshots-admin.ts';
import { DOMAIN_SCREENSHOTS } from './screenshots-domains.ts';
import { FILTERED_ANALYTICS } from './screenshots-analytics.ts';
import { IMPORT_SCREENSHOTS } from './screenshots-import.ts';
import { LINK_SCREENSHOTS } from './screenshots-links.ts';
import { MEMBER_SCREENSHOTS } from './screenshots-members.ts';
import { REPORT_SCREENSHOTS } from './screenshots-reports.ts';
import { SESSION_SCREENSHOTS } from './screenshots-sessions.ts';
import { SHARED_SCREENSHOTS } from './screenshots-shared.ts';
import { WEBHOOK_SCREENSHOTS } from './screenshots-webhooks.ts';
import { PUBLIC_SCREENSHOTS } from './screenshots-public.ts';

export const SCREENSHOTS: readonly Screenshot[] = [
  ...PUBLIC_SCREENSHOTS,
  ...MEMBER_SCREENSHOTS,
  ...LINK_SCREENSHOTS,
  ...IMPORT_SCREENSHOTS,
  ...FILTERED_ANALYTICS,
  ...ADMIN_SCREENSHOTS,
  ...REPORT_SCREENSHOTS,
  ...SESSION_SCREENSHOTS,
  ...SHARED_SCREENSHOTS,
  ...API_KEY_SCREENSHOTS,
  ...WEBHOOK_SCREENSHOTS,
  ...DOMAIN_SCREENSHOTS,
];
