/** GET /api/auth/v1/factors: the member's authenticator app. Times are RFC 3339. */
export type FactorStatus = {
  factor: { id: string; since: string; recovery_codes: number } | null;
  /** When a requested reset may turn it off; null without a request. */
  reset_at: string | null;
};
