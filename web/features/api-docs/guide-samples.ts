import { IMPORT_MAX } from '#contract/limits.ts';
import { CLI_PATH, MCP_PATH } from '#contract/pages/paths.ts';
import type { Caller, Sample } from './samples.ts';

/** The programs of the guides. guide-samples.test.ts runs those that verify webhooks. */

export const createSample = ({ origin, key }: Caller): Sample => ({
  curl: `curl ${origin}/api/v1/links \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d '{"url": "https://example.com/summer-sale"}'`,
  javascript: `const response = await fetch('${origin}/api/v1/links', {
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
console.log(answer.shortUrl);`,
  python: `import json, urllib.request, uuid

request = urllib.request.Request(
    "${origin}/api/v1/links",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
        # Repeating the request with the same key creates nothing twice.
        "Idempotency-Key": str(uuid.uuid4()),
    },
    data=json.dumps({"url": "https://example.com/summer-sale"}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["shortUrl"])`,
});

/** A function that sends any request and repeats it where that helps. Later samples call it. */
export const callSample = ({ origin, key }: Caller): Sample => ({
  curl: `curl --retry 5 --fail-with-body ${origin}/api/v1/me \\
  -H "Authorization: Bearer ${key}"`,
  javascript: `async function hop(method, path, body) {
  const headers = { Authorization: 'Bearer ${key}' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method === 'POST') headers['Idempotency-Key'] = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(\`${origin}/api/v1\${path}\`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.status === 204) return null;
    const answer = await response.json();
    if (response.ok) return answer;
    const isTemporary =
      ['rate_limited', 'request_in_progress'].includes(answer.code) || response.status >= 500;
    const seconds = Number(response.headers.get('Retry-After') ?? 2 ** attempt);
    if (!isTemporary || attempt === 5 || seconds > 120)
      throw new Error(\`\${answer.code}: \${answer.detail} (\${answer.requestId})\`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

console.log(await hop('GET', '/me'));`,
  python: `import json, time, urllib.error, urllib.request, uuid

def hop(method, path, body=None):
    headers = {"Authorization": "Bearer ${key}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, 6):
        request = urllib.request.Request(
            "${origin}/api/v1" + path, method=method, headers=headers, data=data
        )
        try:
            with urllib.request.urlopen(request) as response:
                return None if response.status == 204 else json.load(response)
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            temporary = error.code >= 500 or answer["code"] in ("rate_limited", "request_in_progress")
            seconds = int(error.headers.get("Retry-After") or 2**attempt)
            if not temporary or attempt == 5 or seconds > 120:
                raise RuntimeError(f"{answer['code']}: {answer['detail']} ({answer['requestId']})")
            time.sleep(seconds)

print(hop("GET", "/me"))`,
});

export const pagingSample = ({ origin, key }: Caller): Sample => ({
  curl: `curl "${origin}/api/v1/links?limit=100" \\
  -H "Authorization: Bearer ${key}"

# Then, with nextCursor of the answer:
curl "${origin}/api/v1/links?limit=100&cursor=CURSOR" \\
  -H "Authorization: Bearer ${key}"`,
  javascript: `// With the function hop of “Retries and limits”.
const links = [];
let cursor = null;
do {
  const page = await hop(
    'GET',
    \`/links?limit=100\${cursor === null ? '' : \`&cursor=\${encodeURIComponent(cursor)}\`}\`,
  );
  links.push(...page.data);
  cursor = page.nextCursor;
} while (cursor !== null);`,
  python: `# With the function hop of “Retries and limits”.
from urllib.parse import quote

links, cursor = [], None
while True:
    page = hop("GET", "/links?limit=100" + ("" if cursor is None else "&cursor=" + quote(cursor)))
    links += page["data"]
    cursor = page["nextCursor"]
    if cursor is None:
        break`,
});

export const importSample = ({ origin, key }: Caller): Sample => ({
  curl: `curl ${origin}/api/v1/imports \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"id": "move-from-old-site", "rows": [
    {"url": "https://example.com/1", "code": "old-1", "createdAt": "2024-03-01T09:00:00Z"},
    {"url": "https://example.com/2", "code": "old-2", "clicks": 1234}
  ]}'`,
  javascript: `// With the function hop of “Retries and limits”.
const rows = Array.from({ length: 100 }, (_, at) => ({
  url: \`https://example.com/\${at}\`,
  code: \`old-\${at}\`,
  title: \`Link \${at}\`,
}));
for (let at = 0; at < rows.length; at += ${IMPORT_MAX}) {
  const part = rows.slice(at, at + ${IMPORT_MAX});
  const { results } = await hop('POST', '/imports', { id: 'move-from-old-site', offset: at, rows: part });
  results.forEach(({ verdict, detail = '' }, index) => {
    if (verdict !== 'created' && verdict !== 'exists')
      console.error(part[index].code, verdict, detail);
  });
}
console.log(await hop('GET', '/links/count?import=move-from-old-site'));`,
  python: `# With the function hop of “Retries and limits”.
rows = [
    {"url": f"https://example.com/{at}", "code": f"old-{at}", "title": f"Link {at}"}
    for at in range(100)
]
for at in range(0, len(rows), ${IMPORT_MAX}):
    part = rows[at : at + ${IMPORT_MAX}]
    answer = hop("POST", "/imports", {"id": "move-from-old-site", "offset": at, "rows": part})
    for row, result in zip(part, answer["results"]):
        if result["verdict"] not in ("created", "exists"):
            print(row["code"], result["verdict"], result.get("detail", ""))
print(hop("GET", "/links/count?import=move-from-old-site"))`,
});

const CURL_VERIFY = `# What a receiver computes, with the headers and the body of a request:
SECRET=$(echo "whsec_…" | sed 's/^whsec_//' | base64 -d | xxd -p -c 64)
printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SECRET" -binary | base64`;

export const verifySample: Sample = {
  curl: CURL_VERIFY,
  javascript: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/** Returns the event, or null for a request that is not from Hop. \`body\` is the raw text. */
export function verify(secret, headers, body) {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return null;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((part) => {
    const given = Buffer.from(part.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? JSON.parse(body) : null;
}

export const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const event = verify(process.env.WEBHOOK_SECRET, request.headers, body);
  response.writeHead(event === null ? 401 : 204).end();
  if (event !== null) console.log(event.type, event.sequence, event.data);
});
server.listen(process.env.PORT ?? 3000);`,
  python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

def verify(secret, headers, body):
    """Returns the event, or None for a request that is not from Hop. \`body\` is the raw bytes."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if None in (message_id, timestamp) or abs(time.time() - int(timestamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = (headers["webhook-signature"] or "").split(" ")
    return json.loads(body) if any(hmac.compare_digest(one, expected) for one in given) else None

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verify(os.environ["WEBHOOK_SECRET"], self.headers, body)
        self.send_response(401 if event is None else 204)
        self.end_headers()
        if event is not None:
            print(event["type"], event["sequence"], event["data"])

if __name__ == "__main__":
    HTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()`,
};

export const commandLine = (origin: string): string => `npm install --global ${origin}${CLI_PATH}

hop login --server ${origin}
hop shorten https://example.com/summer-sale --alias summer-sale
hop stats summer-sale
hop import links.csv`;

/** Returns the configuration of an assistant that connects to the MCP server. */
export const mcpConfig = ({ origin, key }: Caller): string =>
  JSON.stringify(
    {
      mcpServers: {
        hop: {
          type: 'http',
          url: `${origin}${MCP_PATH}`,
          headers: { Authorization: `Bearer ${key}` },
        },
      },
    },
    null,
    2,
  );
