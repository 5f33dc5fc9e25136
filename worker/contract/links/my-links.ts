/** The states and the orders of links in GET /api/my-urls (contract/links/links.ts). */

export const MY_LINKS_STATUSES = ['active', 'disabled', 'expired', 'archived', 'trash'] as const;
export const MY_LINKS_SORTS = [
  '-created',
  'created',
  '-clicks',
  'clicks',
  '-last_click',
  'last_click',
  'code',
  '-code',
] as const;
