import * as z from 'zod/mini';
import { DIMENSIONS } from '#contract/v1/v1-analytics.ts';
import { OPERATIONS } from './operations.ts';
import { inlined, inputOf, queryMembers, type Json } from './shapes/to-schema.ts';
import { pathNames, TAG_COUNT, TOOLS, type Tool, type ToolName } from './mcp-tools.ts';
import { OWN, UNTRUSTED } from './mcp-untrusted.ts';

type Text = { title: string; description: string; destructive?: true; idempotent?: true };

const TEXTS: Readonly<Record<ToolName, Text>> = {
  create_link: {
    title: 'Create a short link',
    description:
      'Creates a short link to a URL and returns it with its shortUrl. Uses one link of the monthly quota.',
  },
  create_links: {
    title: 'Create many short links',
    description:
      'Creates up to 1,000 links in one call. Each item is created or rejected independently. Part of Premium.',
  },
  find_links: {
    title: 'Find links',
    description:
      'Lists links of the account, newest first unless sort says otherwise. q searches codes, targets, titles, notes and tags. Filters are combined; tag takes one name.',
  },
  count_links: {
    title: 'Count links',
    description: 'Counts the links that the filters accept.',
  },
  get_link: {
    title: 'Read a link',
    description: 'Returns the link with this short URL or code.',
  },
  update_link: {
    title: 'Change a link',
    description:
      'Changes where a link leads, its title, tags or end, or whether it works (enabled). Members that are left out keep their value; tags replaces all tags.',
    destructive: true,
    idempotent: true,
  },
  set_card: {
    title: 'Set a preview card',
    description:
      'Sets the title, the text and the picture that chats and social networks show for a link. They always show the host of its destination, too.',
    destructive: true,
    idempotent: true,
  },
  remove_card: {
    title: 'Remove a preview card',
    description: 'Removes the preview card of a link. Chats show its destination again.',
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
  change_links: {
    title: 'Change many links',
    description:
      'Applies one action, such as disable, delete or add_tags, to up to 1,000 links: those with these ids, or those that filter selects. Call it with dryRun: true first, tell the user how many links it matches, and call it again with that number as expectedCount.',
    destructive: true,
    idempotent: true,
  },
  check_import: {
    title: 'Check an import',
    description:
      'Says for links of another service whether they can be imported with their codes, what each would lose, and how much room there is. Changes nothing.',
  },
  import_links: {
    title: 'Import links',
    description:
      'Imports links of another service with their codes, dates and clicks. Call check_import first and tell the user what it says. Repeat a call with the same id to continue.',
    idempotent: true,
  },
  get_qr_code: {
    title: 'QR code of a link',
    description: 'Returns the QR code of a short URL as a PNG image, black on white.',
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
  query_clicks: {
    title: 'Count clicks by link, tag, time or value',
    description:
      'Answers questions about many links and any period in one call: the links with the most clicks from Germany (country: DE), clicks per tag this month (groupBy: tag), or per day. The largest come first.',
  },
  list_tags: {
    title: 'List tags',
    description: 'Lists the tags of the account with the number of their links.',
  },
  create_tag: {
    title: 'Create a tag',
    description:
      'Creates a tag. Not needed before tagging: create_link and update_link create tags that are new.',
  },
  update_tag: {
    title: 'Rename or recolor a tag',
    description: 'Changes the name or the color of a tag. Its links keep it.',
    idempotent: true,
  },
  merge_tags: {
    title: 'Replace a tag by another one',
    description: 'Gives the links of a tag the tag `into` instead, and deletes the tag.',
    destructive: true,
  },
  delete_tag: {
    title: 'Delete a tag',
    description: 'Deletes a tag. Its links stay.',
    destructive: true,
  },
  list_domains: {
    title: 'List domains',
    description:
      'Lists the hosts on which the account can create links, with their state and the DNS records that they need.',
  },
  add_domain: {
    title: 'Add a domain',
    description:
      'Adds a host of the user for short links. Tell the user the DNS record to enter, and call check_domain afterwards, which may ask for a second record. Pass confirmed only if the user accepts that the website or mail of the host stops.',
  },
  check_domain: {
    title: 'Check a domain now',
    description:
      'Reads the DNS records of a domain and says what it sees instead of the wanted ones. Changes of DNS records take minutes to be visible.',
    idempotent: true,
  },
  get_quota: {
    title: 'Plan and quota',
    description:
      'Returns the plan, how many links this month leaves, the limits of requests, and what this connection may do.',
  },
};

const PATH_TEXTS: Readonly<Record<string, string>> = {
  id: 'The id of a link, or its short URL.',
  code: 'The short URL of a link, or its code.',
  name: 'The name of the tag, in any case.',
};
/** The type of the items of each argument that is a list. */
const ITEMS: Readonly<Record<string, Json>> = {
  dimensions: {
    description: 'What to count by. Left out: everything that the plan includes.',
    items: { type: 'string', enum: DIMENSIONS },
  },
  linkIds: {
    description: 'Counts only these links. With groupBy: link each is in the answer.',
    items: { type: 'string' },
  },
};

/**
 * The tools as `tools/list` returns them, from the same schemas as the OpenAPI document. The build
 * writes them to a file.
 */
export function mcpTools() {
  return Object.entries<Tool>(TOOLS).map(([name, tool]) => {
    const { title, description, destructive, idempotent } = textOf(name);
    const readOnlyHint = tool.route.startsWith('GET ') || tool.readsOnly === true;
    return {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(tool),
      outputSchema: outputSchemaOf(tool),
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

function inputSchemaOf(tool: Tool) {
  const { query, body } = OPERATIONS[tool.route] ?? {};
  const content: Json =
    tool.fixed !== undefined
      ? {}
      : body === undefined
        ? { properties: query && queryMembers(query.schema, query.members) }
        : inputOf(body.schema);
  const inPath = pathNames(tool.route);
  const needed = body === undefined ? [] : Array.from<string>(Object(content['required'] ?? []));
  const members = Object.entries(Object(inlined(content['properties']))).map(
    ([name, member]) => [name, argumentOf(tool, name, Object(member))] as const,
  );
  const count = {
    type: 'integer',
    minimum: 0,
    description: 'How many links have the tag, as list_tags says.',
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        inPath.map((name) => [name, { type: 'string', description: PATH_TEXTS[name] }]),
      ),
      ...Object.fromEntries(members),
      ...(tool.confirms === 'tag' ? { [TAG_COUNT]: count } : {}),
    },
    required: [...inPath, ...needed, ...(tool.confirms === 'tag' ? [TAG_COUNT] : [])],
    additionalProperties: false,
  };
}

/** A parameter of a query as a value of JSON: a query has only texts. */
function argumentOf({ defaults = {}, lists = [] }: Tool, name: string, schema: Json): Json {
  if (lists.includes(name)) return { type: 'array', ...ITEMS[name] };
  const { enum: choices, default: fallback, ...rest } = schema;
  if (JSON.stringify(choices) === '["true","false"]')
    return {
      ...rest,
      type: 'boolean',
      ...(fallback === undefined ? {} : { default: fallback === 'true' }),
    };
  return name in defaults ? { ...schema, default: defaults[name] } : schema;
}

/**
 * The schema of `structuredContent`: the answer's schema, in which the texts of others have a
 * member of their own.
 */
function outputSchemaOf({ route }: Tool): Json | undefined {
  const content = OPERATIONS[route]?.answer.content;
  if (content === undefined || content === null || typeof content === 'string') return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(content, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A format implies its pattern, and answers may get further members.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return markSchema(schema);
}

/** Does to a schema what `markUntrusted` does to its values. */
function markSchema(schema: Json): Json {
  if (schema['items'] !== undefined)
    return { ...schema, items: markSchema(Object(schema['items'])) };
  if (Array.isArray(schema['anyOf']))
    return { ...schema, anyOf: schema['anyOf'].map((one) => markSchema(Object(one))) };
  if (schema['properties'] === undefined) return schema;
  const own: Json = {};
  const others: Json = {};
  const uncertain = new Set<string>();
  for (const [name, member] of Object.entries<Json>(Object(schema['properties']))) {
    if (OWN.has(name)) own[name] = markSchema(member);
    else if (isFigure(member)) own[name] = member;
    else others[name] = member;
    // A figure stays where it is, and null moves.
    const figure = Array.isArray(member['anyOf']) ? member['anyOf'].find(isFigure) : undefined;
    if (OWN.has(name) || figure === undefined) continue;
    own[name] = figure;
    uncertain.add(name);
  }
  const required = Array.from<string>(Object(schema['required'] ?? []));
  return {
    ...schema,
    properties: {
      ...own,
      ...(Object.keys(others).length === 0
        ? {}
        : { [UNTRUSTED]: { type: 'object', properties: others } }),
    },
    required: required.filter((name) => own[name] !== undefined && !uncertain.has(name)),
  };
}

const isFigure = ({ type }: Json): boolean =>
  type === 'integer' || type === 'number' || type === 'boolean';
