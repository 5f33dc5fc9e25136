import { AwsClient } from 'aws4fetch';
import { sha256 } from './backup-format.ts';
import type { CopyBucket } from './copies.ts';

/** The settings of a bucket at any provider that speaks the protocol of Amazon S3. */
export type S3Env = Partial<
  Record<'BACKUP_S3_URL' | 'BACKUP_S3_REGION' | 'BACKUP_S3_KEY_ID' | 'BACKUP_S3_KEY_SECRET', string>
>;

const TIME_LIMIT_MS = 60_000;
const RETRIES = 3;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The bucket that BACKUP_S3_URL names, for example
 * `https://s3.eu-central-1.amazonaws.com/my-copies`; null if it is empty. Throws if the settings
 * cannot work.
 */
export function openS3Bucket(env: S3Env): CopyBucket | null {
  if (!env.BACKUP_S3_URL) return null;
  const base = env.BACKUP_S3_URL.replace(/\/+$/, '');
  if (!URL.canParse(base)) throw new Error('BACKUP_S3_URL is not an address.');
  const { protocol, hostname } = new URL(base);
  // Copies hold addresses and password hashes.
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new Error('BACKUP_S3_URL has to begin with https://.');
  const accessKeyId = env.BACKUP_S3_KEY_ID;
  const secretAccessKey = env.BACKUP_S3_KEY_SECRET;
  if (!accessKeyId || !secretAccessKey)
    throw new Error('BACKUP_S3_KEY_ID or BACKUP_S3_KEY_SECRET is not set.');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: env.BACKUP_S3_REGION || 'auto',
    retries: RETRIES,
  });
  /** Null for 404. Any other answer that is not a success is an error. */
  const send = async (method: string, path: string, body?: Uint8Array<ArrayBuffer>) => {
    const response = await client.fetch(base + path, {
      method,
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      // The server compares it with what has arrived.
      ...(body && { body, headers: { 'X-Amz-Content-Sha256': sha256(body) } }),
    });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status === 404 && method !== 'PUT' && !text.includes('NoSuchBucket')) return null;
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
    throw new Error(`${hostname} answered ${response.status} ${code} to ${method} ${path}`);
  };
  return {
    get: (key) => send('GET', `/${key}`),
    put: (key, bytes) => send('PUT', `/${key}`, new Uint8Array(bytes)),
    head: async (key) => {
      const response = await send('HEAD', `/${key}`);
      return response && { uploaded: new Date(response.headers.get('Last-Modified') ?? 0) };
    },
    delete: async (keys) => {
      for (const key of [keys].flat()) await send('DELETE', `/${key}`);
    },
    list: async ({ prefix, delimiter, startAfter }) => {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix,
        ...(delimiter !== undefined && { delimiter }),
        ...(startAfter !== undefined && { 'start-after': startAfter }),
      });
      const xml = (await (await send('GET', `?${query.toString()}`))?.text()) ?? '';
      return {
        // Our keys have no characters that XML escapes.
        objects: textsOf(xml, /<Contents>\s*<Key>([^<]+)/g).map((key) => ({ key })),
        delimitedPrefixes: textsOf(xml, /<CommonPrefixes>\s*<Prefix>([^<]+)/g),
        truncated: xml.includes('<IsTruncated>true'),
      };
    },
  };
}

const textsOf = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map(([, text = '']) => text);
