import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { VARIABLES } from '#scripts/generate/configuration.ts';
import { DeployError } from './environment.ts';

/** The Worker rejects a shorter AUTH_SECRET (worker/auth/service/settings.ts). */
const AUTH_SECRET_MIN = 16;

/**
 * The secrets of a file with lines NAME=VALUE; null if there is no such file. Throws if it names
 * anything but secrets of the Worker.
 */
export function readSecretFile(path: string): Record<string, string> | null {
  if (!existsSync(path)) return null;
  const known = new Set(VARIABLES.flatMap((one) => ('secret' in one ? [one.name] : [])));
  const secrets: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(parseEnv(readFileSync(path, 'utf8')))) {
    if (!known.has(name))
      throw new DeployError(
        `${path} names ${name}, which is no secret. docs/configuration.md lists them.`,
      );
    if (value !== '') secrets[name] = value;
  }
  const { AUTH_SECRET } = secrets;
  if (AUTH_SECRET !== undefined && AUTH_SECRET.length < AUTH_SECRET_MIN)
    throw new DeployError(`AUTH_SECRET in ${path} is shorter than ${AUTH_SECRET_MIN} characters.`);
  return secrets;
}

/**
 * The secrets of a first upload. A new AUTH_SECRET is added to the file, if there is one, before it
 * is used: nothing can read it from the platform later.
 */
export function firstSecrets(path: string | undefined): Record<string, string> {
  const given = path === undefined ? null : readSecretFile(path);
  if (given?.['AUTH_SECRET'] !== undefined) return given;
  const secret = randomBytes(32).toString('base64url');
  if (path !== undefined) {
    const before = given === null ? '' : `${readFileSync(path, 'utf8').trimEnd()}\n`;
    writeFileSync(path, `${before}AUTH_SECRET=${secret}\n`, { mode: 0o600 });
  }
  return { ...given, AUTH_SECRET: secret };
}
