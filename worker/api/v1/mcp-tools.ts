/**
 * The tools of the MCP server, which mcp-document.ts describes. Each is one request to a route of
 * the public API.
 */
export const TOOLS = {
  create_link: { route: 'POST /api/v1/links' },
  create_links: { route: 'POST /api/v1/links/bulk' },
  find_links: { route: 'GET /api/v1/links', defaults: { limit: 20 } },
  count_links: { route: 'GET /api/v1/links/count' },
  get_link: { route: 'GET /api/v1/links/by-code/:code' },
  update_link: { route: 'PATCH /api/v1/links/:id' },
  set_card: { route: 'PUT /api/v1/links/:id/card' },
  remove_card: { route: 'DELETE /api/v1/links/:id/card' },
  disable_link: { route: 'PATCH /api/v1/links/:id', fixed: { enabled: false } },
  change_links: { route: 'POST /api/v1/links/actions', confirms: 'links' },
  check_import: { route: 'POST /api/v1/imports/check', readsOnly: true },
  import_links: { route: 'POST /api/v1/imports' },
  get_qr_code: { route: 'GET /api/v1/links/:id/qr.png', defaults: { size: 512 } },
  get_link_stats: { route: 'GET /api/v1/links/:id/analytics', lists: ['dimensions'] },
  get_account_stats: { route: 'GET /api/v1/analytics' },
  query_clicks: {
    route: 'GET /api/v1/analytics/clicks',
    defaults: { limit: 10 },
    lists: ['linkIds'],
  },
  list_tags: { route: 'GET /api/v1/tags' },
  create_tag: { route: 'POST /api/v1/tags' },
  update_tag: { route: 'PATCH /api/v1/tags/:name' },
  merge_tags: { route: 'POST /api/v1/tags/:name/merge', confirms: 'tag' },
  delete_tag: { route: 'DELETE /api/v1/tags/:name', confirms: 'tag' },
  list_domains: { route: 'GET /api/v1/domains' },
  add_domain: { route: 'POST /api/v1/domains' },
  check_domain: { route: 'POST /api/v1/domains/:domain/check' },
  get_quota: { route: 'GET /api/v1/me' },
} as const satisfies Record<string, Tool>;

/** As in access.ts: a method and a path. */
type Route = `${string} ${string}`;
export type Tool = {
  route: Route;
  /** True for a POST that changes nothing. */
  readsOnly?: true;
  /** A body that the caller cannot change. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Arguments that the caller left out. Answers to assistants should be short. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Arguments that are lists here and texts with commas in the API. */
  lists?: readonly string[];
  /**
   * What the caller must have counted before. `links`: with `dryRun`, and `expectedCount` names the
   * number. `tag`: the argument TAG_COUNT names the number of links that have the tag.
   */
  confirms?: 'links' | 'tag';
};
export type ToolName = keyof typeof TOOLS;

export const TAG_COUNT = 'expectedLinks';

/** The names of the parameters in a path: `:id` → 'id'. */
export const pathNames = (route: Route): string[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
