/**
 * Returns the statements that turn off the authenticator app of the account with this address, and
 * end its sessions. The first one writes the audit entry and returns its subject. Without an app
 * they change nothing.
 */
export function turnOffFactor(email: string, now: number): string[] {
  const address = `'${email.trim().toLowerCase().replaceAll("'", "''")}'`;
  const owner = `SELECT id FROM auth_users WHERE email = ${address} AND totp_confirmed_at IS NOT NULL`;
  return [
    `INSERT INTO admin_log (at, admin_id, action, subject)
      SELECT ${now}, 'system', 'turn_off_factor', 'user:' || id FROM (${owner})
      RETURNING subject`,
    ...['auth_recovery_codes', 'auth_factor_resets', 'auth_pending_sign_ins', 'auth_sessions'].map(
      (table) => `DELETE FROM ${table} WHERE user_id IN (${owner})`,
    ),
    // Last, because the other statements look for an account that has an app.
    `UPDATE auth_users SET totp_secret = NULL, totp_confirmed_at = NULL, totp_last_step = NULL,
      updated_at = ${now} WHERE id IN (${owner})`,
  ];
}

/** True for a text that can be an address. A semicolon would end a statement for wrangler. */
export const isAddress = (text: string): boolean => /^[^\s";]+@[^\s";]+$/.test(text);
