import { PLAIN_QR, type QrStyle } from '#contract/presets/qr-presets.ts';
import type { SharedReportInput } from '#contract/reports/shared-reports.ts';
import type { UtmTemplate } from '#contract/presets/utm-templates.ts';
import type { ViewFilters } from '#contract/presets/views.ts';
import type { WebhookRequest } from '#contract/webhooks/webhooks.ts';

/** What the demo accounts have besides links. */

/** The saved views of both accounts, as in the address of My URLs. */
export const DEMO_VIEWS = [
  { name: 'Launch', filters: { tag: 'Launch', sort: '-clicks' } },
  { name: 'Ended', filters: { status: 'expired' } },
] as const satisfies readonly { name: string; filters: ViewFilters }[];

/** The UTM templates of both accounts. */
export const DEMO_TEMPLATES: readonly Omit<UtmTemplate, 'id'>[] = [
  { name: 'Instagram', source: 'instagram', medium: 'social', campaign: '', term: '', content: '' },
  {
    name: 'Newsletter',
    source: 'newsletter',
    medium: 'email',
    campaign: 'monthly',
    term: '',
    content: '',
  },
  { name: 'Poster', source: 'poster', medium: 'print', campaign: '', term: '', content: '' },
];

/** The QR designs of both accounts. None is the default, so that a first code is plain. */
export const DEMO_QR_DESIGNS: readonly { name: string; style: QrStyle; logo: string }[] = [
  {
    name: 'Poster',
    style: { ...PLAIN_QR, modules: 'rounded', eyes: 'rounded', foreground: '#1c2541', margin: 2 },
    logo: '',
  },
  { name: 'Sticker', style: { ...PLAIN_QR, modules: 'dots', eyes: 'circle' }, logo: '' },
];

/** The report that the administrator shares: of the tag with this name. */
export const DEMO_REPORT: { tag: string; input: SharedReportInput } = {
  tag: 'Launch',
  input: {
    title: 'Launches this season',
    parts: ['countries', 'devices', 'sources', 'campaigns', 'links', 'shortUrls'],
    period: '90d',
    expiresAt: null,
    password: null,
  },
};

/**
 * The administrator's webhook. Its host does not exist, so it has a tag and one event, which few
 * visitors of the demo cause.
 */
export const DEMO_WEBHOOK: WebhookRequest = {
  url: 'https://hooks.example.com/hop',
  description: 'Posts new launches to the team chat',
  events: ['link.created'],
  tag: 'Launch',
};
/** How long ago it was added. Links with its tag that are younger have a delivery. */
export const WEBHOOK_DAYS_AGO = 13;
