import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { SITE_NAME } from '#contract/site.ts';
import { MCP_TOOLS_FILE } from '#contract/v1/v1.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { isLoopback } from '#worker/http/origins.ts';
import { readJsonText, requireKey } from '#worker/http/validate.ts';
import { API_ERRORS } from '#worker/messages/api-errors.ts';
import { MCP_MESSAGES } from '#worker/messages/public-api.ts';
import { callTool, findTool, type FetchV1 } from './mcp-call.ts';

/** Versions of the protocol that this server supports, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const VERSION_HEADER = 'Mcp-Protocol-Version';
/** JSON-RPC 2.0 §5.1 */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
/** The most messages of a batch, which only version 2025-03-26 has. */
const BATCH_MAX = 20;

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

type C = Context<ApiEnv>;
type Outcome = { result: unknown } | { error: { code: number; message: string } };
type Answer = { jsonrpc: '2.0'; id: string | number | null } & Outcome;
/**
 * Whether the message has been counted against the key's limit. The first message of a request has.
 */
type Place = { isCounted: boolean };

const failure = (code: number, text: string): Outcome => ({ error: { code, message: text } });
const answerTo = (id: Answer['id'], outcome: Outcome): Answer => ({
  jsonrpc: '2.0',
  id,
  ...outcome,
});

/**
 * The MCP server (Model Context Protocol, Streamable HTTP), for assistants that work with links.
 * Every message is a POST with a key, and its whole answer is JSON: there are no sessions and no
 * streams, so a GET is 405. `fetchV1` sends a request to the public API as a caller that has been
 * admitted, so that tools have its scopes, checks and messages.
 */
export function mcpRoutes(fetchV1: FetchV1): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.post('/mcp', async (c) => {
    const origin = c.req.header('Origin');
    if (origin !== undefined && !isSecureOrigin(origin)) throw apiError('other_website');
    const version = c.req.header(VERSION_HEADER);
    if (version !== undefined && !VERSIONS.some((known) => known === version))
      throw apiError('unknown_mcp_version', { detail: VERSIONS.join(', ') });
    const body = readMessages(c, version);
    if ('error' in body) return c.json(answerTo(null, body), 400);
    const answers: Answer[] = [];
    for (const [at, one] of body.messages.entries()) {
      const answer = await answerMessage(c, one, { isCounted: at === 0 }, fetchV1);
      if (answer !== null) answers.push(answer);
    }
    if (answers.length === 0) return c.body(null, 202);
    if (body.isBatch) return c.json(answers);
    return c.json(answers[0], answers[0]?.id === null ? 400 : 200);
  });
  return routes;
}

/**
 * True for the origin of a page that came over https or from this machine. Keys travel in a header,
 * so any such page may send one; a page that somebody on the way could have changed may not.
 */
const isSecureOrigin = (origin: string): boolean =>
  URL.canParse(origin) && (origin.startsWith('https://') || isLoopback(origin));

function readMessages(
  c: C,
  version: string | undefined,
): { messages: unknown[]; isBatch: boolean } | Extract<Outcome, { error: unknown }> {
  const text = readJsonText(c);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { error: { code: PARSE_ERROR, message: API_ERRORS.not_json[1] } };
  }
  if (!Array.isArray(json)) return { messages: [json], isBatch: false };
  // The header came with the version that removed batches.
  const mayBatch = version === undefined || version === '2025-03-26';
  if (mayBatch && json.length > 0 && json.length <= BATCH_MAX)
    return { messages: json, isBatch: true };
  return { error: { code: INVALID_REQUEST, message: MCP_MESSAGES.bad_batch(BATCH_MAX) } };
}

/** Returns the answer to a message; null for a notification and for an answer of the client. */
async function answerMessage(
  c: C,
  json: unknown,
  place: Place,
  fetchV1: FetchV1,
): Promise<Answer | null> {
  const parsed = message.safeParse(json);
  if (!parsed.success) return answerTo(null, failure(INVALID_REQUEST, MCP_MESSAGES.not_a_message));
  const { id, method, params = {} } = parsed.data;
  if (id === undefined || method === undefined) return null;
  return answerTo(id, await act(c, method, params, place, fetchV1));
}

async function act(
  c: C,
  method: string,
  params: Record<string, unknown>,
  place: Place,
  fetchV1: FetchV1,
): Promise<Outcome> {
  switch (method) {
    case 'initialize':
      return { result: describeServer(params['protocolVersion']) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: await listTools(c) } };
    case 'tools/call': {
      const call = toolCall.safeParse(params);
      const tool = call.success ? findTool(call.data.name) : undefined;
      if (!call.success || tool === undefined)
        return failure(INVALID_PARAMS, MCP_MESSAGES.unknown_tool);
      const send = (request: Request): Response | Promise<Response> =>
        fetchV1({ key: requireKey(c), ...place }, request, c);
      return { result: await callTool(c, tool, call.data.arguments, send) };
    }
    default:
      return failure(METHOD_NOT_FOUND, MCP_MESSAGES.unknown_method(method));
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
    const rule = KEY_ACCESS[findTool(name)?.route ?? ''] ?? 'anyone';
    return rule !== 'anyone' && (rule.length === 0 || rule.some((one) => scopes.includes(one)));
  });
}
