/** The languages of samples, in the order of their switch. */
export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];
/** A text in each language. */
export type Sample = Readonly<Record<Language, string>>;

export type SampleRequest = {
  method: string;
  /** With examples in place of parameters: `/links/123?limit=10`. */
  path: string;
  body?: unknown;
  /** What the answer contains, and so how a program reads it. */
  reads: 'json' | 'file' | 'nothing';
};
export const PLACEHOLDER = 'hop_live_…';
/** The address of the API, and the key that samples show. */
export type Caller = { origin: string; key: string };

/** Returns a request in each language, complete except for the key. */
export const sampleOf = (request: SampleRequest, caller: Caller): Sample => ({
  curl: curlOf(request, caller),
  javascript: javascriptOf(request, caller),
  python: pythonOf(request, caller),
});

const fileOf = (path: string): string => path.split('/').at(-1)?.split('?')[0] ?? '';

function curlOf({ method, path, body, reads }: SampleRequest, { origin, key }: Caller): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${origin}/api/v1${path}"`,
    `-H "Authorization: Bearer ${key}"`,
  ];
  if (body !== undefined)
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
    );
  if (reads === 'file') lines.push(`-o ${fileOf(path)}`);
  return lines.join(' \\\n  ');
}

function javascriptOf(
  { method, path, body, reads }: SampleRequest,
  { origin, key }: Caller,
): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(body === undefined
      ? [`  headers: { Authorization: 'Bearer ${key}' },`]
      : [
          '  headers: {',
          `    Authorization: 'Bearer ${key}',`,
          "    'Content-Type': 'application/json',",
          '  },',
          `  body: JSON.stringify(${indent(literal(body, JAVASCRIPT), '  ')}),`,
        ]),
  ];
  const end = {
    json: 'console.log(await response.json());',
    file: `await writeFile('${fileOf(path)}', Buffer.from(await response.arrayBuffer()));`,
    nothing: 'console.log(response.status);',
  }[reads];
  return [
    ...(reads === 'file' ? ["import { writeFile } from 'node:fs/promises';", ''] : []),
    `const response = await fetch('${origin}/api/v1${path}', {`,
    ...options,
    '});',
    end,
  ].join('\n');
}

function pythonOf({ method, path, body, reads }: SampleRequest, { origin, key }: Caller): string {
  const content = body === undefined ? '' : ', "Content-Type": "application/json"';
  const end = {
    json: 'print(json.load(response))',
    file: `open("${fileOf(path)}", "wb").write(response.read())`,
    nothing: 'print(response.status)',
  }[reads];
  return [
    `import ${body !== undefined || reads === 'json' ? 'json, ' : ''}urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    "${origin}/api/v1${path}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={"Authorization": "Bearer ${key}"${content}},`,
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indent(literal(body, PYTHON, '    '), '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    ${end}`,
  ].join('\n');
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

type Words = { quote: (text: string) => string; name: (text: string) => string; words: string[] };
const JAVASCRIPT: Words = {
  quote: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`,
  name: (text) => text,
  words: ['true', 'false', 'null'],
};
const PYTHON: Words = {
  quote: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  words: ['True', 'False', 'None'],
};

/** Writes a JSON value as the language does. */
function literal(value: unknown, language: Words, step = '  '): string {
  const [yes = '', no = '', nothing = ''] = language.words;
  if (value === null) return nothing;
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'string') return language.quote(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const write = (inner: unknown): string => indent(literal(inner, language, step), step);
  const items = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([name, inner]) => `${language.name(name)}: ${write(inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const isFlat = items.join(', ').length < 50 && !items.some((item) => item.includes('\n'));
  if (!isFlat) return `${open}\n${items.map((item) => `${step}${item},\n`).join('')}${close}`;
  const inside = items.join(', ');
  return Array.isArray(value) || language === PYTHON ? open + inside + close : `{ ${inside} }`;
}
