import { formatNumber } from '#contract/language.ts';
import { DRAFT_BYTES_MAX, DRAFTS_MAX, UTM_TEMPLATES_MAX, VIEWS_MAX } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { DOMAIN_ERRORS } from './domains.ts';
import { NOT_JSON_TYPE, STORAGE_DOWN, UNKNOWN_ADDRESS, type ErrorEntry } from './error-entry.ts';
import { TAG_MESSAGES } from './features.ts';
import { linkMessage, TARGET_MESSAGES } from './links.ts';
import { PUBLIC_API_ERRORS } from './public-api-errors.ts';
import { SECOND_FACTOR_ERRORS } from './second-factor.ts';
import { SHARED_REPORT_ERRORS } from './shared-reports.ts';

const KEY_NEEDED = 'Send an API key as “Authorization: Bearer hop_live_…”.';
/** A rate limit counts per minute. */
const limited = (text: string) =>
  ['rate_limited', text, { upgradeRequired: false, retryAfter: 60 }] as const;
const notHost = (text: string) => ['invalid_body', text, { field: 'scope' }] as const;
const webhookUrl = (text: ErrorEntry[1]) => ['invalid_target', text, { field: 'url' }] as const;
const sourceError = (text: ErrorEntry[1]) =>
  ['invalid_target', text, { field: 'address' }] as const;
const kilobytes = (bytes: number): string => `${formatNumber(Math.ceil(bytes / 1000))} KB`;

/** Why an address does not name a host that a list or a moderation can cover. */
const HOST_ERRORS = {
  not_a_host: notHost('This is not a host name.'),
  has_port: notHost('Enter the host without a port.'),
  no_dot: notHost('A host needs a dot: a name without one would block a whole top-level domain.'),
  not_a_url: notHost('This is not a valid URL.'),
  own_host: notHost('This is our own host.'),
} as const;

export type HostReason = keyof typeof HOST_ERRORS;

const WEBHOOK_TARGET_MESSAGES = {
  ...TARGET_MESSAGES,
  own_host: 'A webhook cannot point to this site.',
  shortener: 'This address redirects, and redirects are not followed. Enter where it leads.',
};

/**
 * The errors of the API's routes except those about links (links.ts): the reason of a use case or a
 * route, with its code, its sentence, and members of the answer that never differ.
 */
export const API_ERRORS = {
  unexpected: ['internal', 'Something went wrong on our side. Try again in a moment.'],
  storage_down: ['unavailable', STORAGE_DOWN, { retryAfter: 5 }],
  hosting_plan_used_up: [
    'unavailable',
    'This site has used up what its hosting plan allows for today. Short links keep redirecting; everything else works again after midnight UTC.',
    { retryAfter: 3600 },
  ],
  upgrading: ['unavailable', 'We are upgrading. Try again in a few minutes.', { retryAfter: 30 }],
  sign_in_service_down: [
    'unavailable',
    "We couldn't reach the sign-in service. Try again in a moment.",
    { retryAfter: 5 },
  ],

  unknown_address: ['not_found', UNKNOWN_ADDRESS],
  unknown_picture: ['not_found', 'There is no picture with this name.'],
  no_card: ['not_found', 'The link with this code has no preview card.'],
  unknown_method: ['method_not_allowed', ({ detail }) => `This address supports ${detail} only.`],
  not_json_type: ['unsupported_media_type', NOT_JSON_TYPE],
  not_json: ['invalid_json', 'The body is not valid JSON.'],
  not_utf8: ['invalid_json', 'The body is not valid UTF-8.'],
  too_large: [
    'body_too_large',
    ({ amount }) => `The body is larger than the limit of ${Math.floor(amount / 1024)} KB.`,
  ],
  too_slow: ['request_timeout', 'The body took too long to arrive. Send the request again.'],
  too_many_requests: limited('Too many requests. Try again in a minute.'),
  too_many_links: limited('Too many links in a short time. Try again in a minute.'),
  too_many_reports: limited('Too many reports. Try again in a minute.'),
  too_many_test_alerts: limited('Too many test alerts. Try again in a few minutes.'),

  not_signed_in: ['unauthenticated', 'Sign in to continue.'],
  session_ended: ['unauthenticated', 'Your session is no longer valid. Sign in again.'],
  ...SECOND_FACTOR_ERRORS,
  key_for_application: ['unauthenticated', 'API keys work below /api/v1 and at /api/mcp only.'],
  no_key: ['unauthenticated', 'Send an API key.'],
  not_a_key: ['unauthenticated', KEY_NEEDED],
  unknown_key: ['unauthenticated', 'This API key is not valid. It may have been revoked.'],
  key_expired: ['unauthenticated', 'This API key has expired. Create a new one in Settings.'],
  other_website: ['forbidden', 'Requests from other websites are not allowed.'],
  role_changed: ['forbidden', 'Your role has changed. Reload the page.'],
  not_admin: ['forbidden', 'Only administrators can do this.'],
  suspended: ['forbidden', ({ detail }) => `This account is suspended. Reason: ${detail}`],

  unknown_session: ['not_found', "We couldn't find that session in your account."],
  last_admin: [
    'conflict',
    'This is the last administrator. Make someone else an administrator first.',
  ],
  only_admin_left: [
    'conflict',
    'You are the last administrator. Make someone else an administrator first.',
  ],
  account_suspended: ['forbidden', 'This account is suspended.'],
  claim_used: ['not_found', 'This link no longer works. Each works once, for an hour.'],
  payment_needed: [
    'payment_required',
    'Payment integration required. Please contact support for manual upgrade.',
  ],
  price_changed: [
    'conflict',
    'Premium is no longer offered at this price. Reload the page to see the current one.',
  ],
  already_free: ['conflict', 'Your plan is already Free.'],

  source_bad_address: sourceError(({ target }) => TARGET_MESSAGES[target]),
  source_not_https: sourceError('Enter an address that starts with https://.'),
  source_own_host: sourceError('This is our own site. Use the export in its Settings.'),
  source_private_host: sourceError('This address leads to a private network.'),
  source_unknown_host: sourceError('This host has no address. Check the spelling.'),
  source_unreachable: sourceError('The server could not be reached, or took too long to answer.'),
  source_too_large: sourceError('The server’s answer is larger than 2 MB.'),
  source_redirects: sourceError('The server redirects. Enter the address that it leads to.'),
  source_key_refused: [
    'invalid_body',
    'The server does not accept this API key.',
    { field: 'key' },
  ],
  source_status: sourceError(({ amount }) => `The server answered with status ${amount}.`),
  source_no_links: sourceError('The server’s answer is no list of links of this service.'),

  ...HOST_ERRORS,
  unknown_user: ['not_found', "We couldn't find that user."],
  unknown_link: ['not_found', "We couldn't find that link."],
  not_own_link: ['not_found', linkMessage({ reason: 'not_found' })],
  unknown_domain: ['not_found', "We couldn't find that domain."],
  shared_domain: [
    'conflict',
    'All members share this host. To stop it, take it out of SHORT_HOSTS and deploy.',
  ],
  suspends_yourself: ['conflict', 'You cannot suspend yourself.'],
  unknown_report: ['not_found', "We couldn't find that report."],
  report_outdated: [
    'conflict',
    'The destination of this link has changed. Look at the report again.',
  ],
  reports_used_up: [
    'rate_limited',
    'You have reached the daily limit of reports. Try again tomorrow.',
    { upgradeRequired: false },
  ],
  not_on_blocklist: ['not_found', 'This entry is not on the blocklist.'],
  captcha_failed: ['forbidden', 'Complete the captcha and try again.', { field: 'turnstileToken' }],
  captcha_unreachable: [
    'unavailable',
    "We couldn't verify the captcha. Try again in a minute.",
    { retryAfter: 10 },
  ],

  unknown_post: ['not_found', 'Blog post not found'],
  only_admin_publishes: [
    'forbidden',
    'Only administrators can publish posts. Save it as a draft.',
    { field: 'published' },
  ],
  only_admin_changes_published: [
    'forbidden',
    'This post is published. Only administrators can change it.',
  ],
  too_many_drafts: [
    'conflict',
    `You have reached the limit of ${DRAFTS_MAX} drafts. Delete a draft and try again.`,
  ],
  drafts_too_long: [
    'conflict',
    ({ amount }) =>
      `Your other drafts use ${kilobytes(amount)} of ${kilobytes(DRAFT_BYTES_MAX)}, so this one does not fit. Delete a draft and try again.`,
  ],
  slug_taken: ['slug_taken', 'Another post already has this slug.', { field: 'slug' }],
  post_changed: [
    'conflict',
    'Someone else changed this post in the meantime. Reload it and try again.',
  ],

  not_own_key: ['not_found', "We couldn't find that API key in your account."],
  key_ends_in_past: [
    'invalid_body',
    linkMessage({ reason: 'invalid_expiry' }),
    { field: 'expiresAt' },
  ],
  too_many_keys: [
    'conflict',
    'You have as many API keys as an account can have. Revoke one that you no longer use.',
  ],

  unknown_app: [
    'not_found',
    'We don’t know this app. Remove the connection in the app and add it again.',
  ],
  unknown_redirect: [
    'not_found',
    'The app asks to send you to an address that it has not registered, so we stop here.',
  ],
  other_resource: ['not_found', 'The app asks for access to another server than this one.'],
  app_on_blocklist: [
    'forbidden',
    'The app asks to send you to an address on our blocklist, so we stop here.',
  ],

  unknown_webhook: ['not_found', "We couldn't find that webhook in your account."],
  webhook_changed: [
    'conflict',
    'This webhook changed at the same time. Reload the page and try again.',
  ],
  too_many_webhooks: [
    'conflict',
    ({ plan }) =>
      `Your plan includes ${PLANS[plan].webhooks} webhooks. Delete one that you no longer use.`,
  ],
  webhook_not_https: webhookUrl('A webhook needs an address that starts with https://.'),
  webhook_on_own_domain: webhookUrl(
    ({ detail }) =>
      `A webhook cannot point to a host of ${detail}, the domain of this site, unless the site's operator allows it.`,
  ),
  webhook_bad_target: webhookUrl(({ target }) => WEBHOOK_TARGET_MESSAGES[target]),
  unknown_webhook_tag: [
    'not_found',
    "We couldn't find a tag with this name in your account. Create it first.",
    { field: 'tag' },
  ],
  webhooks_with_prefix: [
    'forbidden',
    'A key with a code prefix cannot manage webhooks, because they get the events of all links.',
  ],
  webhook_without_address: [
    'conflict',
    'This webhook has no address, so nothing can be sent. Read its deliveries.',
  ],
  unknown_delivery: [
    'not_found',
    "We couldn't find that delivery. It may have been deleted from the log.",
  ],
  delivery_waits: ['conflict', 'This delivery is still waiting for its next attempt.'],
  deliveries_used_up: [
    'rate_limited',
    ({ plan }) =>
      `Your plan includes ${formatNumber(PLANS[plan].webhookDeliveries)} deliveries a day. The count resets at midnight UTC.`,
  ],

  ...SHARED_REPORT_ERRORS,
  ...DOMAIN_ERRORS,
  ...PUBLIC_API_ERRORS,

  unknown_preset: ['not_found', "We couldn't find that preset in your account."],
  preset_taken: [
    'conflict',
    'You have another preset with this name. Choose a different name.',
    { field: 'name' },
  ],
  too_many_presets: [
    'conflict',
    'You have as many presets as an account can have. Delete one first.',
    { field: 'name' },
  ],
  unknown_template: ['not_found', "We couldn't find that template in your account."],
  template_taken: ['conflict', 'You have another template with this name.', { field: 'name' }],
  too_many_templates: [
    'conflict',
    `You have ${UTM_TEMPLATES_MAX} templates, as many as an account can have. Delete one first.`,
    { field: 'name' },
  ],
  unknown_view: ['not_found', "We couldn't find that view in your account."],
  view_taken: ['conflict', 'You have another view with this name.', { field: 'name' }],
  too_many_views: [
    'conflict',
    `An account can have ${VIEWS_MAX} views. Delete one first.`,
    { field: 'name' },
  ],

  no_mail: ['conflict', 'This server does not send email.'],
  email_not_proven: [
    'forbidden',
    'Confirm your email address first: reset your password, and use the link that we mail you.',
  ],
  bad_unsubscribe_link: [
    'not_found',
    'This link is not valid. Turn the weekly email off in Settings.',
  ],
  premium_filter: ['payment_required', 'This filter is part of the Premium plan.'],
  premium_times: ['payment_required', 'Times are part of the Premium plan.'],
  premium_export: ['payment_required', 'The export of a report is part of the Premium plan.'],
  other_cursor: [
    'invalid_query',
    'cursor must be the nextCursor of a page with the same sort.',
    { field: 'cursor' },
  ],

  tag_not_found: ['not_found', TAG_MESSAGES.tag_not_found, { field: 'name' }],
  tag_taken: ['conflict', TAG_MESSAGES.tag_taken, { field: 'name' }],
  too_many_tags: ['conflict', TAG_MESSAGES.too_many_tags, { field: 'name' }],
} as const satisfies Record<string, ErrorEntry>;

export type ErrorReason = keyof typeof API_ERRORS;
