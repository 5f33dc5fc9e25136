import { rotateKeys } from './key-rotation.ts';
import { authSecret, isEmbedded } from '#worker/auth/settings.ts';
import { openDb } from '#worker/db/client.ts';

/** Takes the embedded sign-in's signing key one step on in its rotation; a hosted service turns its own. */
export async function rotateSigningKeys(env: Env, now: number): Promise<string> {
  if (!isEmbedded(env)) return 'sign-in is hosted';
  return (await rotateKeys(openDb(env.DB), authSecret(env), now)) || 'nothing due';
}
