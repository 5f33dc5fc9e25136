import type { Scope } from '#contract/scopes.ts';

/**
 * The access rule of every route of the application's API. The app does not start if a route is
 * missing here (see `checkAccessRules`).
 * - anyone: no token is read
 * - optional: visitors may call it; a token that is sent must be valid
 * - member: a valid token
 * - admin: a valid token and the role, which is read from the database on every request
 */
export type Access = 'anyone' | 'optional' | 'member' | 'admin';

export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /api/health': 'anyone',
  // Administrators get details.
  'GET /api/ready': 'optional',
  'POST /api/shorten': 'optional',
  'POST /api/shorten/bulk': 'member',
  'POST /api/links/claim': 'member',
  'POST /api/links/test': 'member',
  'POST /api/links/import/check': 'member',
  'POST /api/links/import': 'member',
  'POST /api/links/import/source': 'member',
  'GET /api/my-urls': 'member',
  'GET /api/my-urls/ids': 'member',
  'GET /api/my-urls/totals': 'member',
  'GET /api/links/:code': 'member',
  'GET /api/links/:code/history': 'member',
  'GET /api/links/:code/card': 'member',
  'PUT /api/links/:code/card': 'member',
  'DELETE /api/links/:code/card': 'member',
  // Pictures of preview cards, which chats and social networks load.
  'GET /api/card-pictures/:name': 'anyone',
  'PATCH /api/links/:code': 'member',
  'DELETE /api/links/:code': 'member',
  'POST /api/links/actions': 'member',
  'POST /api/links/purge': 'member',
  'GET /api/tags': 'member',
  'POST /api/tags': 'member',
  'PATCH /api/tags/:id': 'member',
  'POST /api/tags/:id/merge': 'member',
  'DELETE /api/tags/:id': 'member',
  'GET /api/utm-templates': 'member',
  'POST /api/utm-templates': 'member',
  'DELETE /api/utm-templates/:id': 'member',
  'GET /api/views': 'member',
  'POST /api/views': 'member',
  'DELETE /api/views/:id': 'member',
  'GET /api/qr/:code': 'anyone',
  // Reads only the headers of the request that it answers.
  'GET /api/click-preview': 'anyone',
  'GET /api/qr-presets': 'member',
  'POST /api/qr-presets': 'member',
  'PATCH /api/qr-presets/:id': 'member',
  'DELETE /api/qr-presets/:id': 'member',
  'GET /api/subscription': 'member',
  'POST /api/subscription': 'member',
  'POST /api/subscription/downgrade': 'member',
  'DELETE /api/subscription/downgrade': 'member',
  'GET /api/me': 'member',
  'GET /api/sessions': 'member',
  'DELETE /api/sessions': 'member',
  'DELETE /api/sessions/:id': 'member',
  'GET /api/keys': 'member',
  'POST /api/keys': 'member',
  'POST /api/keys/:id/rotate': 'member',
  'DELETE /api/keys/:id': 'member',
  'GET /api/oauth/authorize': 'member',
  'POST /api/oauth/authorize': 'member',
  'GET /api/webhooks': 'member',
  'POST /api/webhooks': 'member',
  'PATCH /api/webhooks/:id': 'member',
  'DELETE /api/webhooks/:id': 'member',
  'POST /api/webhooks/:id/rotate': 'member',
  'POST /api/webhooks/:id/test': 'member',
  'GET /api/webhooks/:id/deliveries': 'member',
  'POST /api/webhooks/:id/deliveries/:delivery/replay': 'member',
  'GET /api/account/export': 'member',
  'GET /api/account/links.csv': 'member',
  'GET /api/account/links': 'member',
  'POST /api/account/links': 'member',
  'DELETE /api/account': 'member',
  'GET /api/analytics': 'member',
  'GET /api/analytics/:code': 'member',
  'GET /api/analytics/:code/times': 'member',
  'GET /api/analytics/:code/export': 'member',
  'GET /api/link-activity': 'member',
  'GET /api/overview/clicks': 'member',
  'GET /api/overview/times': 'member',
  'GET /api/overview/export': 'member',
  'GET /api/overview/compare': 'member',
  'GET /api/shared-reports': 'member',
  'POST /api/shared-reports': 'member',
  'PATCH /api/shared-reports/:id': 'member',
  'DELETE /api/shared-reports/:id': 'member',
  // The secret in the body authorizes the request.
  'POST /api/shared-report': 'anyone',
  'POST /api/domains': 'member',
  'POST /api/domains/:name/check': 'member',
  'DELETE /api/domains/:name': 'member',
  'POST /api/domains/:name/transfer': 'member',
  'POST /api/domains/:name/transfer/accept': 'member',
  'DELETE /api/domains/:name/transfer': 'member',
  'GET /api/weekly-mail': 'member',
  'PATCH /api/weekly-mail': 'member',
  // Opened and sent from an email, whose token authorizes the request.
  'GET /api/weekly-mail/unsubscribe': 'anyone',
  'POST /api/weekly-mail/unsubscribe': 'anyone',
  'GET /api/blogs': 'anyone',
  'GET /api/blog/:slug': 'anyone',
  'GET /api/blogs-admin': 'member',
  'POST /api/blogs-admin': 'member',
  'PATCH /api/blogs-admin/:id': 'member',
  'DELETE /api/blogs-admin/:id': 'member',
  'GET /api/admin': 'admin',
  'POST /api/admin': 'admin',
  'GET /api/admin/system': 'admin',
  'POST /api/admin/system': 'admin',
  'POST /api/admin/system/test-alert': 'admin',
  'GET /api/admin/app-links': 'admin',
  'POST /api/admin/app-links': 'admin',
  // Anyone with the secret becomes an administrator.
  'POST /api/admin/claim': 'member',
  // The sign-in service checks tokens itself and answers with the errors that its client knows.
  'POST /api/auth/v1/signup': 'anyone',
  'POST /api/auth/v1/token': 'anyone',
  'GET /api/auth/v1/user': 'anyone',
  'PUT /api/auth/v1/user': 'anyone',
  'POST /api/auth/v1/logout': 'anyone',
  'POST /api/auth/v1/resend': 'anyone',
  'POST /api/auth/v1/recover': 'anyone',
  'GET /api/auth/v1/verify': 'anyone',
  'POST /api/auth/v1/verify': 'anyone',
  'POST /api/auth/v1/verify/describe': 'anyone',
  'GET /api/auth/v1/settings': 'anyone',
  'GET /api/auth/v1/health': 'anyone',
  'GET /api/auth/v1/authorize': 'anyone',
  'GET /api/auth/v1/callback': 'anyone',
  'GET /api/auth/v1/provider-logout': 'anyone',
  'GET /api/auth/v1/user/identities': 'anyone',
  'POST /api/auth/v1/user/identities': 'anyone',
  'DELETE /api/auth/v1/user/identities': 'anyone',
  'POST /api/auth/v1/user/identities/authorize': 'anyone',
  'GET /api/auth/v1/.well-known/jwks.json': 'anyone',
  'POST /api/reports': 'anyone',
  'GET /api/admin/reports': 'admin',
  'GET /api/admin/reports/:id': 'admin',
  'POST /api/admin/reports/:id': 'admin',
  'POST /api/admin/moderation': 'admin',
  'DELETE /api/admin/cards/:code': 'admin',
  'GET /api/admin/blocklist': 'admin',
  'POST /api/admin/blocklist': 'admin',
  'DELETE /api/admin/blocklist/:value': 'admin',
};

/** The limit of a body in bytes, unless LARGE_BODIES has another one. */
export const BODY_MAX_BYTES = 16 * 1024;
const LARGE = 256 * 1024;
/** A picture of 300 KB is 400 KB as base64. */
const CARD = 416 * 1024;

/**
 * Routes with a higher limit than BODY_MAX_BYTES: posts, pictures, and lists of links or hosts.
 * They need a caller.
 */
export const LARGE_BODIES: Readonly<Record<string, number>> = {
  'POST /api/shorten/bulk': LARGE,
  'POST /api/links/import/check': LARGE,
  'POST /api/links/import': LARGE,
  'POST /api/account/links': LARGE,
  'POST /api/blogs-admin': LARGE,
  'PATCH /api/blogs-admin/:id': LARGE,
  'POST /api/admin/blocklist': LARGE,
  'POST /api/admin/app-links': LARGE,
  // A logo of 32 KB is 43 KB as base64.
  'POST /api/qr-presets': 48 * 1024,
  'PATCH /api/qr-presets/:id': 48 * 1024,
  'POST /api/mcp': LARGE,
  'PUT /api/links/:code/card': CARD,
  'PUT /api/v1/links/:id/card': CARD,
  // A thousand links with targets of full length.
  'POST /api/v1/links/bulk': 3 * 1024 * 1024,
  'POST /api/v1/imports/check': LARGE,
  'POST /api/v1/imports': LARGE,
};

/**
 * The access rule of every route of the public API. A key needs one of these scopes; an empty list
 * accepts any valid key. `anyone` needs no key. A session's token is never accepted.
 */
export type KeyAccess = 'anyone' | readonly Scope[];

const CREATE: KeyAccess = ['links:create', 'links:write'];
const WEBHOOKS: KeyAccess = ['webhooks:write'];

export const KEY_ACCESS: Readonly<Record<string, KeyAccess>> = {
  'GET /api/v1/openapi.json': 'anyone',
  'GET /api/v1/errors': 'anyone',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'GET /.well-known/oauth-protected-resource': 'anyone',
  'GET /.well-known/oauth-protected-resource/api/mcp': 'anyone',
  'POST /api/oauth/register': 'anyone',
  'POST /api/oauth/token': 'anyone',
  'POST /api/mcp': [],
  'GET /api/v1/me': [],
  'POST /api/v1/links': CREATE,
  'POST /api/v1/links/bulk': CREATE,
  'POST /api/v1/links/actions': ['links:write'],
  'POST /api/v1/imports/check': ['links:write'],
  'POST /api/v1/imports': ['links:write'],
  'GET /api/v1/export': ['links:read'],
  'GET /api/v1/links/count': ['links:read'],
  'GET /api/v1/links': ['links:read'],
  'GET /api/v1/links/by-code/:code': ['links:read'],
  'GET /api/v1/links/by-external-id/:externalId': ['links:read'],
  'PUT /api/v1/links/by-external-id/:externalId': ['links:write'],
  'GET /api/v1/links/:id': ['links:read'],
  'PATCH /api/v1/links/:id': ['links:write'],
  'DELETE /api/v1/links/:id': ['links:write'],
  'GET /api/v1/links/:id/qr.svg': ['links:read'],
  'GET /api/v1/links/:id/qr.png': ['links:read'],
  'GET /api/v1/links/:id/history': ['links:read'],
  'GET /api/v1/links/:id/card': ['links:read'],
  'PUT /api/v1/links/:id/card': ['links:write'],
  'DELETE /api/v1/links/:id/card': ['links:write'],
  'GET /api/v1/links/:id/analytics': ['analytics:read'],
  'GET /api/v1/analytics': ['analytics:read'],
  'GET /api/v1/analytics/clicks': ['analytics:read'],
  'GET /api/v1/tags': ['links:read'],
  'POST /api/v1/tags': ['links:write'],
  'PATCH /api/v1/tags/:name': ['links:write'],
  'POST /api/v1/tags/:name/merge': ['links:write'],
  'DELETE /api/v1/tags/:name': ['links:write'],
  'GET /api/v1/webhooks': WEBHOOKS,
  'POST /api/v1/webhooks': WEBHOOKS,
  'GET /api/v1/webhooks/:webhookId': WEBHOOKS,
  'PATCH /api/v1/webhooks/:webhookId': WEBHOOKS,
  'DELETE /api/v1/webhooks/:webhookId': WEBHOOKS,
  'POST /api/v1/webhooks/:webhookId/rotate': WEBHOOKS,
  'POST /api/v1/webhooks/:webhookId/test': WEBHOOKS,
  'GET /api/v1/webhooks/:webhookId/deliveries': WEBHOOKS,
  'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver': WEBHOOKS,
};
