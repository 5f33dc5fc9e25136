export type Language = 'curl' | 'javascript' | 'python';

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

/** Returns a program that creates a link and is complete except for the key. */
export function quickStart(language: Language, origin: string, key: string): string {
  const url = `${origin}/api/v1/links`;
  switch (language) {
    case 'curl':
      return `curl ${url} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/summer-sale"}'`;
    case 'javascript':
      return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
    // Repeating the request with the same key creates nothing twice.
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ url: 'https://example.com/summer-sale' }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
console.log(answer.shortUrl);`;
    case 'python':
      return `import json, urllib.request, uuid

request = urllib.request.Request(
    "${url}",
    method="POST",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
        # Repeating the request with the same key creates nothing twice.
        "Idempotency-Key": str(uuid.uuid4()),
    },
    data=json.dumps({"url": "https://example.com/summer-sale"}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["shortUrl"])`;
  }
}

export function curlOfOperation(
  {
    method,
    path,
    search,
    example,
  }: { method: string; path: string; search: string; example: unknown },
  origin: string,
  key: string,
): string {
  // Links have a number as their id, and the example of an externalId is the one of the example
  // that creates a link.
  const filled = path
    .replace('{id}', '123')
    .replace('{code}', 'summer-sale')
    .replace('{externalId}', 'campaign-42');
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${origin}/api/v1${filled}${search}"`,
    `-H "Authorization: Bearer ${key}"`,
  ];
  if (example !== undefined)
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
    );
  return lines.join(' \\\n  ');
}

export const commandLine = (origin: string): string => `hop login --server ${origin}
hop shorten https://example.com/summer-sale --alias summer-sale
hop stats summer-sale
hop import links.csv`;

/** Returns the configuration of an assistant that connects to the MCP server. */
export const mcpConfig = (origin: string, key: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        hop: {
          type: 'http',
          url: `${origin}/api/mcp`,
          headers: { Authorization: `Bearer ${key}` },
        },
      },
    },
    null,
    2,
  );
