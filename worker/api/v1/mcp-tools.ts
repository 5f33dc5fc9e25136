/**
 * The tools of the MCP server, which mcp-document.ts describes. Each is one request to a route of
 * the public API. `fixed` is the body of a tool whose caller cannot choose it.
 */
export const TOOLS = {
  create_link: { route: 'POST /api/v1/links' },
  find_links: { route: 'GET /api/v1/links' },
  get_link: { route: 'GET /api/v1/links/by-code/:code' },
  update_link: { route: 'PATCH /api/v1/links/:id' },
  disable_link: { route: 'PATCH /api/v1/links/:id', fixed: { enabled: false } },
  get_link_stats: { route: 'GET /api/v1/links/:id/analytics' },
  get_account_stats: { route: 'GET /api/v1/analytics' },
} as const satisfies Record<string, Tool>;

/** As in access.ts: a method and a path. */
type Route = `${string} ${string}`;
export type Tool = { route: Route; fixed?: Readonly<Record<string, unknown>> };
export type ToolName = keyof typeof TOOLS;

/** The names of the parameters in a path: `:id` → 'id'. */
export const pathNames = (route: Route): string[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
