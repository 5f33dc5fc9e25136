import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_factor_resets,
  auth_flows,
  auth_one_time_tokens,
  auth_passkey_challenges,
  auth_pending_sign_ins,
  auth_sessions,
} from '#worker/db/schema-auth.ts';
import { domain_transfers } from '#worker/db/schema-domains.ts';
import { admin_claims } from '#worker/db/schema-system.ts';

/**
 * Ends every session, and whatever waits for somebody with a token. The platform's copy of an
 * earlier time has those that have ended since: a thief's session, a used link of a mail, a reset
 * that its owner has stopped, an offer of a domain that was withdrawn.
 */
export async function endSignIns(db: Db): Promise<void> {
  await runBatch(
    db,
    [
      auth_sessions,
      auth_one_time_tokens,
      auth_pending_sign_ins,
      auth_factor_resets,
      auth_flows,
      auth_passkey_challenges,
      admin_claims,
      domain_transfers,
    ].map((table) => db.delete(table)),
  );
}
