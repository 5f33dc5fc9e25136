import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where Hop runs, and the key to call it with. */
export type Settings = { origin: string; key: string };
type Variables = Readonly<Record<string, string | undefined>>;

/** The key is as good as a password: only its owner may read the file. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const settingsFile = (env: Variables): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'hop', 'config.json');

/** HOP_URL and HOP_API_KEY, else what `hop login` has stored. Null without both. */
export function readCliSettings(env: Variables): Settings | null {
  const stored = readStored(settingsFile(env));
  const origin = originOf(env['HOP_URL'] || stored?.origin || '');
  // A stored key is for the server that it was stored with.
  const key = env['HOP_API_KEY'] || (stored !== null && stored.origin === origin ? stored.key : '');
  return origin === null || key === '' ? null : { origin, key };
}

function readStored(file: string): Settings | null {
  try {
    const { origin, key } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof origin === 'string' && typeof key === 'string' ? { origin, key } : null;
  } catch {
    return null;
  }
}

/** Stores the settings. A new file replaces an old one, whose permissions may be wider. */
export function writeSettings(env: Variables, settings: Settings): void {
  const file = settingsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: FILE_MODE });
  // The mode of a new file is subject to the umask, which may only narrow it. That of a left-over
  // one is not set at all.
  chmodSync(draft, FILE_MODE);
  renameSync(draft, file);
}

export const deleteSettings = (env: Variables): void => rmSync(settingsFile(env), { force: true });

/**
 * The origin of an address that a key may be sent to: https, or a server on this machine. Null for
 * any other text.
 */
export function originOf(address: string): string | null {
  const text = address.includes('://') ? address : `https://${address}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return isSafe ? url.origin : null;
}
