import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { originOf } from './server-origin.ts';

export type Settings = { origin: string; key: string };
type Variables = Readonly<Record<string, string | undefined>>;

/** The key is as good as a password: only its owner may read the file. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Windows keeps settings of programs in %APPDATA%. */
export const settingsFile = (env: Variables, platform = process.platform): string =>
  join(
    env['XDG_CONFIG_HOME'] ||
      (platform === 'win32' && env['APPDATA']) ||
      join(homedir(), '.config'),
    'hop',
    'config.json',
  );

/**
 * Reads HOP_URL and HOP_API_KEY, or else the settings that `hop login` stored. Null without both.
 */
export function readCliSettings(env: Variables): Settings | null {
  const stored = readStored(settingsFile(env));
  const origin = originOf(env['HOP_URL'] || stored?.origin || '');
  // A stored key is only sent to the server that it was stored for.
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

/** Stores the settings in a new file, because an existing one may have wider permissions. */
export function writeSettings(env: Variables, settings: Settings): void {
  const file = settingsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: FILE_MODE });
  // The umask can only narrow the mode of a new file. A draft that an earlier run left keeps its
  // mode without this.
  chmodSync(draft, FILE_MODE);
  renameSync(draft, file);
}

export const deleteSettings = (env: Variables): void => rmSync(settingsFile(env), { force: true });
