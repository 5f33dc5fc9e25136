import { DurableObject } from 'cloudflare:workers';
import type { Derivation } from './derive-key.ts';

/**
 * Hashes passwords on another thread than the isolates that redirect. It stores nothing, so any
 * object can do the work of another. What it does is imported on first use, because every isolate
 * evaluates this file at its start.
 */
export class PasswordHasher extends DurableObject<Env> {
  /** Null if too many hashes are waiting. */
  async derive(derivation: Derivation): Promise<Uint8Array | null> {
    const { deriveInObject } = await import('./hasher-pool.ts');
    return deriveInObject(derivation);
  }
}
