import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';

/**
 * Reads a key or password, which is never an argument: other users of the machine can see
 * arguments, and shells store them.
 */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return ((await readAll(process.stdin)).split('\n')[0] ?? '').trim();
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, next) => next() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  lines.on('SIGINT', () => process.exit(130));
  const secret = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return secret.trim();
}
