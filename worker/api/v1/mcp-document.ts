import { OPERATIONS } from './operations.ts';
import { inlined, inputOf, queryMembers, type Json } from './shapes/to-schema.ts';
import { pathNames, TOOLS, type Tool, type ToolName } from './mcp-tools.ts';

type Text = { title: string; description: string; destructive?: true; idempotent?: true };

const TEXTS: Readonly<Record<ToolName, Text>> = {
  create_link: {
    title: 'Create a short link',
    description:
      'Creates a short link to a URL and returns it with its shortUrl. Uses one link of the monthly quota.',
  },
  find_links: {
    title: 'Find links',
    description:
      'Lists links of the account, newest first unless sort says otherwise. q searches codes and targets.',
  },
  get_link: {
    title: 'Read a link by its code',
    description: 'Returns the link whose short URL ends with this code.',
  },
  update_link: {
    title: 'Change a link',
    description:
      'Changes where a link leads, when it stops, or whether it works (enabled). Needs the id of the link, not its code.',
    destructive: true,
    idempotent: true,
  },
  disable_link: {
    title: 'Disable a link',
    description:
      'Stops a link from redirecting. update_link with enabled: true makes it work again.',
    destructive: true,
    idempotent: true,
  },
  get_link_stats: {
    title: 'Clicks on a link',
    description:
      'Returns clicks and visitors of one link over time and by dimension. Bots are counted apart.',
  },
  get_account_stats: {
    title: 'Clicks on all links',
    description: 'Returns the clicks on all links of the account, and the ten links with the most.',
  },
};

const PATH_TEXTS: Readonly<Record<string, string>> = {
  id: 'The id of a link, as find_links and get_link return it.',
  code: 'The part of a short URL behind the host.',
};

/**
 * The tools as `tools/list` returns them, from the same schemas as the OpenAPI document. The build
 * writes them to a file.
 */
export function mcpTools() {
  return Object.entries<Tool>(TOOLS).map(([name, tool]) => {
    const { title, description, destructive, idempotent } = textOf(name);
    const readOnlyHint = tool.route.startsWith('GET ');
    return {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(tool),
      annotations: {
        title,
        readOnlyHint,
        ...(readOnlyHint
          ? {}
          : { destructiveHint: destructive === true, idempotentHint: idempotent === true }),
        // Results contain texts of strangers, and a tool's changes are public at once.
        openWorldHint: true,
      },
    };
  });
}

function textOf(name: string): Text {
  const found = Object.entries(TEXTS).find(([known]) => known === name);
  if (found === undefined) throw new Error(`The tool ${name} has no text.`);
  return found[1];
}

function inputSchemaOf({ route, fixed }: Tool) {
  const { query, body } = OPERATIONS[route] ?? {};
  const content: Json =
    fixed !== undefined
      ? {}
      : body === undefined
        ? { properties: query && queryMembers(query.schema, query.members) }
        : inputOf(body.schema);
  const inPath = pathNames(route);
  const needed = body === undefined ? [] : Array.from<string>(Object(content['required'] ?? []));
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        inPath.map((name) => [name, { type: 'string', description: PATH_TEXTS[name] }]),
      ),
      ...Object(inlined(content['properties'])),
    },
    required: [...inPath, ...needed],
    additionalProperties: false,
  };
}
