/**
 * The rights of a key. `links:create` is for keys that end up in a browser or on a phone, because
 * it does not allow reading.
 */
export const SCOPES = [
  'links:read',
  'links:write',
  'links:create',
  'analytics:read',
  'webhooks:write',
  'domains:read',
  'domains:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export const SCOPE_TEXTS: Readonly<Record<Scope, { name: string; detail: string }>> = {
  'links:read': { name: 'Read links', detail: 'List links and read their settings.' },
  'links:write': { name: 'Write links', detail: 'Create, change and delete links.' },
  'links:create': {
    name: 'Create links only',
    detail:
      'For keys that other people can see, such as in a browser extension. They set no tags, notes or external ids.',
  },
  'analytics:read': { name: 'Read analytics', detail: 'Read the clicks on links.' },
  'webhooks:write': {
    name: 'Manage webhooks',
    detail: 'Create, change and delete webhooks, and read their events, which contain every link.',
  },
  'domains:read': { name: 'Read domains', detail: 'List domains and their DNS records.' },
  'domains:write': {
    name: 'Manage domains',
    detail: 'Add, check, change and delete domains. Deleting one stops its links.',
  },
};
