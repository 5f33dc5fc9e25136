import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { SITE_NAME } from '#contract/site.ts';
import { MCP_TOOLS_FILE } from '#contract/v1.ts';
import type { Problem } from '#contract/v1-problem.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readJson, requireKey } from '#worker/http/validate.ts';
import { pathNames, TOOLS, type Tool } from './mcp-tools.ts';
import { MCP_MESSAGES } from '#worker/messages/public-api.ts';

/** Versions of the protocol that this server supports, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const VERSION_HEADER = 'Mcp-Protocol-Version';
/** JSON-RPC 2.0 §5.1 */
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const message = z.object({
  jsonrpc: z.literal('2.0'),
  /** Absent in a notification. */
  id: z.optional(z.union([z.string(), z.int()])),
  /** Absent in a response. */
  method: z.optional(z.string()),
  params: z.optional(z.record(z.string(), z.unknown())),
});
const toolCall = z.object({
  name: z.string(),
  arguments: z._default(z.record(z.string(), z.unknown()), {}),
});
const toolList = z.array(z.looseObject({ name: z.string() }));

type Result = { result: unknown } | { error: { code: number; message: string } };
type C = Context<ApiEnv>;
type Fetch = (key: KeyIdentity, request: Request, c: C) => Response | Promise<Response>;

/**
 * The MCP server (Model Context Protocol, Streamable HTTP), for assistants that work with links.
 * Every message is a POST with a key, and its whole answer is JSON: there are no sessions and no
 * streams, so a GET is 405. `fetchV1` sends a request to the public API as a caller that has been
 * admitted, so that tools have its scopes, checks and messages.
 */
export function mcpRoutes(fetchV1: Fetch): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.post('/mcp', async (c) => {
    const version = c.req.header(VERSION_HEADER);
    if (version !== undefined && !VERSIONS.some((known) => known === version))
      throw apiError('unknown_mcp_version', { detail: VERSIONS.join(', ') });
    const { id, method, params = {} } = readJson(c, message);
    if (id === undefined || method === undefined) return c.body(null, 202);
    return c.json({ jsonrpc: '2.0', id, ...(await answer(c, method, params, fetchV1)) });
  });
  return routes;
}

async function answer(
  c: C,
  method: string,
  params: Record<string, unknown>,
  fetchV1: Fetch,
): Promise<Result> {
  switch (method) {
    case 'initialize':
      return { result: describeServer(params['protocolVersion']) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: await listTools(c) } };
    case 'tools/call':
      return callTool(c, params, fetchV1);
    default:
      return { error: { code: METHOD_NOT_FOUND, message: MCP_MESSAGES.unknown_method(method) } };
  }
}

const describeServer = (wanted: unknown) => ({
  protocolVersion: VERSIONS.find((version) => version === wanted) ?? VERSIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: SITE_NAME.toLowerCase(), title: SITE_NAME, version: '1' },
  instructions: MCP_MESSAGES.instructions,
});

async function listTools(c: C) {
  const file = await c.env.ASSETS.fetch(new URL(MCP_TOOLS_FILE, c.req.url));
  if (!file.ok) throw apiError('no_tools');
  const { scopes } = requireKey(c);
  return toolList.parse(await file.json()).filter(({ name }) => {
    const rule = KEY_ACCESS[toolOf(name)?.route ?? ''] ?? [];
    return rule !== 'anyone' && rule.some((scope) => scopes.includes(scope));
  });
}

const toolOf = (name: string): Tool | undefined =>
  Object.entries<Tool>(TOOLS).find(([known]) => known === name)?.[1];

async function callTool(c: C, params: unknown, fetchV1: Fetch): Promise<Result> {
  const call = toolCall.safeParse(params);
  const tool = call.success ? toolOf(call.data.name) : undefined;
  if (!call.success || tool === undefined)
    return {
      error: { code: INVALID_PARAMS, message: MCP_MESSAGES.unknown_tool },
    };
  const values = call.data.arguments;
  // Ids and codes have no other characters, and a path with dots would reach another route.
  const wrong = pathNames(tool.route).find((name) => !/^[\w-]+$/.test(textOf(values[name])));
  if (wrong !== undefined) return { result: toFailure(MCP_MESSAGES.bad_argument(wrong)) };
  const refused = refusedArgument(tool, values);
  if (refused !== null) return { result: toFailure(refused) };
  const response = await fetchV1(requireKey(c), toRequest(tool, values, c.req.url), c);
  if (!response.ok) return { result: toFailure(sentenceOf(await response.json<Problem>())) };
  return { result: toResult(markUntrusted(await response.json())) };
}

/**
 * The notice comes first, because many clients show a model the content of a result and not the
 * server's instructions.
 */
const toResult = (data: unknown) => ({
  content: [MCP_MESSAGES.untrusted, JSON.stringify(data)].map((text) => ({ type: 'text', text })),
  structuredContent: data,
});

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/**
 * Returns a sentence about an argument that cannot be sent to the API, which checks all others. An
 * argument that a tool ignored would make it do more than the assistant asked for.
 */
function refusedArgument({ route, fixed }: Tool, values: Record<string, unknown>): string | null {
  const inPath = pathNames(route);
  const others = Object.entries(values).filter(([name]) => !inPath.includes(name));
  const [unknown] = fixed === undefined ? [] : others;
  if (unknown !== undefined) return MCP_MESSAGES.unknown_argument(unknown[0], inPath);
  const isPlain = (value: unknown): boolean =>
    ['string', 'number', 'boolean'].includes(typeof value);
  const wrong = route.startsWith('GET ') ? others.find(([, value]) => !isPlain(value)) : undefined;
  return wrong === undefined ? null : MCP_MESSAGES.not_one_value(wrong[0]);
}

/** An error that the assistant sees and can react to. */
const toFailure = (text: string) => ({ content: [{ type: 'text', text }], isError: true });

const sentenceOf = ({ detail, errors = [] }: Problem): string =>
  [...new Set([detail, ...errors.map((part) => part.detail)])].join('\n');

/**
 * Builds the request of a tool call. Arguments that the path does not name become the query or the
 * body.
 */
function toRequest(
  { route, fixed }: Tool,
  values: Readonly<Record<string, unknown>>,
  base: string,
): Request {
  const [method = '', pattern = ''] = route.split(' ');
  const inPath = pathNames(route);
  const remaining = Object.entries(values).filter(
    ([name, value]) => !inPath.includes(name) && value !== undefined,
  );
  const url = new URL(
    pattern.replaceAll(/:(\w+)/g, (_, name: string) => textOf(values[name])),
    base,
  );
  if (method === 'GET') {
    for (const [name, value] of remaining) url.searchParams.set(name, textOf(value));
    return new Request(url);
  }
  const headers = { 'Content-Type': 'application/json' };
  return new Request(url, {
    method,
    headers,
    body: JSON.stringify(fixed ?? Object.fromEntries(remaining)),
  });
}

/**
 * Marks texts of other people as data. Visitors choose referrers and UTM parameters, and anybody
 * with a key chooses titles and targets. Such a text can contain instructions to the assistant,
 * which also has tools that write.
 */

/** The member of a result that contains the texts of others. */
const UNTRUSTED = 'untrusted';

/**
 * Members that Hop writes itself, and the lists and objects that contain them. Their values are
 * times and words from fixed lists.
 */
const OWN: ReadonlySet<string> = new Set(
  [
    'data totals series topLinks previousPeriod',
    'id linkId code earlierCodes shortUrl status plan importedClicks',
    'createdAt updatedAt expiresAt generatedAt countedAt start from to range interval',
    'nextCursor previousCursor',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Moves the texts of others into one member of each object. Every member that is not listed as
 * Hop's own is treated as theirs, so a new member of the API is marked until it is listed here.
 */
function markUntrusted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markUntrusted);
  if (typeof value !== 'object' || value === null) return value;
  const own: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    if (OWN.has(name)) own[name] = markUntrusted(member);
    else (isFigure(member) ? own : others)[name] = member;
  return Object.keys(others).length === 0 ? own : { ...own, [UNTRUSTED]: others };
}

const isFigure = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean';
