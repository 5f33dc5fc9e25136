/**
 * Secrets and optional variables, which `wrangler types` does not see because they are never in
 * wrangler.toml.
 */
interface Secrets {
  /**
   * Always required. The keys of refresh tokens, signing keys, counters and hashes of addresses
   * derive from it.
   */
  AUTH_SECRET?: string;
  /** Only for hosted projects that still sign with HS256. */
  SUPABASE_JWT_SECRET?: string;
  OIDC_CLIENT_SECRET?: string;
  /** For the custom hostnames of CF_SAAS_ZONE_ID. It can delete every member's certificate. */
  CF_SAAS_TOKEN?: string;
  TURNSTILE_SECRET_KEY?: string;
  /** A secret, because anybody who knows the address of a webhook can post to it. */
  ALERT_WEBHOOK_URL?: string;
  /** For the bucket of BACKUP_S3_URL. */
  BACKUP_S3_KEY_ID?: string;
  BACKUP_S3_KEY_SECRET?: string;
  /** Makes the first administrator. Only for installations that a build deploys. */
  ADMIN_CLAIM?: string;
  /** A secret, because it holds the token for the receiver of metrics. */
  OTEL_EXPORTER_OTLP_HEADERS?: string;
  /** Bound where METRICS_DATASET names a dataset of Analytics Engine. */
  METRICS?: AnalyticsEngineDataset;
}
declare namespace Cloudflare {
  interface Env extends Secrets {}
}
interface Env extends Secrets {}
