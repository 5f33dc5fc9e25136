import type { Context } from 'hono';
import * as z from 'zod/mini';
import { tagListV1 } from '#contract/v1/v1-tags.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { MCP_MESSAGES } from '#worker/messages/public-api.ts';
import { pathNames, TAG_COUNT, TOOLS, type Tool } from './mcp-tools.ts';
import { markUntrusted } from './mcp-untrusted.ts';
import { keyOfName } from './named-link.ts';

type C = Context<ApiEnv>;
/** Sends a request to the public API as a caller that has been admitted. */
export type FetchV1 = (
  caller: { key: KeyIdentity; isCounted: boolean },
  request: Request,
  c: C,
) => Response | Promise<Response>;
type Send = (request: Request) => Response | Promise<Response>;
type Values = Readonly<Record<string, unknown>>;

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
/** An assistant sees an error of a tool, and can react to it. */
type ToolResult = { content: Content[]; structuredContent?: unknown; isError?: true };

export const findTool = (name: string): Tool | undefined =>
  Object.entries<Tool>(TOOLS).find(([known]) => known === name)?.[1];

/** Sends the request of a tool, and returns what an assistant sees of the answer. */
export async function callTool(c: C, tool: Tool, given: Values, send: Send): Promise<ToolResult> {
  const refused = refusedArgument(tool, given);
  if (refused !== null) return toFailure(refused);
  const values = await resolveLink(c, { ...tool.defaults, ...given }, send);
  if (!values.ok) return toFailure(values.sentence);
  const inPath = pathNames(tool.route);
  const wrong = inPath.find((name) => !isPathPart(values.values[name]));
  if (wrong !== undefined) return toFailure(MCP_MESSAGES.bad_argument(wrong));
  const unconfirmed = await findUnconfirmed(c, tool, values.values, send);
  if (unconfirmed !== null) return toFailure(unconfirmed);
  const response = await send(toRequest(tool, values.values, c.req.url));
  if (!response.ok) return toFailure(sentenceOf(await response.json<Problem>()));
  return toResult(response);
}

/**
 * Returns a sentence about an argument that cannot be sent to the API, which checks all others. An
 * argument that a tool ignored would make it do more than the assistant asked for.
 */
function refusedArgument({ route, fixed, lists = [] }: Tool, values: Values): string | null {
  const inPath = pathNames(route);
  const others = Object.entries(values).filter(([name]) => !inPath.includes(name));
  const [unknown] = fixed === undefined ? [] : others;
  if (unknown !== undefined) return MCP_MESSAGES.unknown_argument(unknown[0], inPath);
  if (!route.startsWith('GET ')) return null;
  const wrong = others.find(
    ([name, value]) =>
      !isPlain(value) && !(lists.includes(name) && Array.isArray(value) && value.every(isPlain)),
  );
  return wrong === undefined ? null : MCP_MESSAGES.not_one_value(wrong[0]);
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

type Resolved = { ok: true; values: Values } | { ok: false; sentence: string };

/**
 * Replaces a short URL by what the route takes: the code, or the id, which is looked up. Neither
 * can be mistaken for a URL, because an id has no slash and no host is part of a code.
 */
async function resolveLink(c: C, values: Values, send: Send): Promise<Resolved> {
  const name = ['code', 'id'].find((one) => textOf(values[one]).includes('/'));
  if (name === undefined) return { ok: true, values };
  const text = textOf(values[name]);
  const code = keyOfName(c, text);
  if (name === 'code') return { ok: true, values: { ...values, code: code ?? text } };
  if (code === null) return { ok: false, sentence: MCP_MESSAGES.not_a_short_url };
  const url = new URL(`/api/v1/links/by-code/${encodeURIComponent(code)}`, c.req.url);
  const response = await send(new Request(url));
  if (!response.ok) return { ok: false, sentence: sentenceOf(await response.json<Problem>()) };
  const { id } = linkId.parse(await response.json());
  return { ok: true, values: { ...values, id } };
}
const linkId = z.object({ id: z.string() });

/** Dots would lead to another route, even encoded. */
const isPathPart = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && !/^\.{0,2}$/.test(value));

/** Returns a sentence if a tool that changes many links was called without their number. */
async function findUnconfirmed(
  c: C,
  { confirms }: Tool,
  values: Values,
  send: Send,
): Promise<string | null> {
  if (confirms === undefined) return null;
  if (confirms === 'links')
    return values['dryRun'] === true || values['expectedCount'] !== undefined
      ? null
      : MCP_MESSAGES.count_first;
  const response = await send(new Request(new URL('/api/v1/tags', c.req.url)));
  if (!response.ok) return sentenceOf(await response.json<Problem>());
  const name = textOf(values['name']).normalize('NFC').toLowerCase();
  const { data } = tagListV1.parse(await response.json());
  const tag = data.find((one) => one.name.toLowerCase() === name);
  // The route says that there is no such tag.
  return tag === undefined || tag.links === values[TAG_COUNT]
    ? null
    : MCP_MESSAGES.tag_count(tag.links);
}

/**
 * Builds the request of a tool call. Arguments that the path does not name become the query or the
 * body.
 */
function toRequest({ route, fixed, confirms }: Tool, values: Values, base: string): Request {
  const [method = '', pattern = ''] = route.split(' ');
  const inPath = pathNames(route);
  const remaining = Object.entries(values).filter(
    ([name, value]) =>
      !inPath.includes(name) && value !== undefined && !(confirms === 'tag' && name === TAG_COUNT),
  );
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(textOf(values[name])),
  );
  const url = new URL(path, base);
  if (method === 'GET') {
    for (const [name, value] of remaining)
      url.searchParams.set(name, Array.isArray(value) ? value.join(',') : textOf(value));
    return new Request(url);
  }
  if (method === 'DELETE') return new Request(url, { method });
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(fixed ?? Object.fromEntries(remaining));
  return new Request(url, { method, headers, body });
}

/**
 * The text is a short form of the data, without members that are empty. Claude's connectors show a
 * model nothing but the text, and Claude Code nothing but the data
 * (https://github.com/anthropics/claude-code/issues/79944).
 */
async function toResult(response: Response): Promise<ToolResult> {
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status === 204) return { content: [toText(MCP_MESSAGES.done)] };
  if (type.startsWith('image/')) {
    const data = Buffer.from(await response.arrayBuffer()).toString('base64');
    return { content: [{ type: 'image', data, mimeType: type }] };
  }
  const data = markUntrusted(await response.json());
  const short = JSON.stringify(data, (_, value: unknown) => (isEmpty(value) ? undefined : value));
  return { content: [toText(`${MCP_MESSAGES.untrusted}\n${short}`)], structuredContent: data };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

const toText = (text: string): Content => ({ type: 'text', text });
const toFailure = (text: string): ToolResult => ({ content: [toText(text)], isError: true });

const sentenceOf = ({ detail, errors = [] }: Problem): string =>
  [...new Set([detail, ...errors.map((part) => part.detail)])].join('\n');

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
