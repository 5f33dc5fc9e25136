/** The settings of members' own domains, which are custom hostnames of Cloudflare for SaaS. */
export type SaasSettings = {
  zoneId: string;
  /** It can delete the certificates of all members: never log it or put it into an answer. */
  token: string;
  /** The host to which members' CNAME records lead. */
  target: string;
  apiUrl: string;
  dohUrls: string;
  /** How many hosts of members this deployment may have. */
  max: number;
};

type SaasVariables = Pick<
  Env,
  | 'CF_SAAS_ZONE_ID'
  | 'CF_SAAS_TOKEN'
  | 'CF_SAAS_TARGET'
  | 'CF_SAAS_API_URL'
  | 'DOMAINS_DOH_URLS'
  | 'DOMAINS_MAX'
>;

const API_URL = 'https://api.cloudflare.com/client/v4';
/** What the platform includes without a price. */
const DOMAINS_MAX = 100;

/** Null unless zone, token and target are set. Then members cannot bring domains. */
export function readSaasSettings(env: SaasVariables): SaasSettings | null {
  const zoneId = (env.CF_SAAS_ZONE_ID ?? '').trim();
  const token = (env.CF_SAAS_TOKEN ?? '').trim();
  const target = (env.CF_SAAS_TARGET ?? '').trim().toLowerCase().replace(/\.$/, '');
  if (zoneId === '' || token === '' || target === '') return null;
  const max = Number(env.DOMAINS_MAX || DOMAINS_MAX);
  return {
    zoneId,
    token,
    target,
    apiUrl: (env.CF_SAAS_API_URL ?? '').trim().replace(/\/$/, '') || API_URL,
    dohUrls: env.DOMAINS_DOH_URLS ?? '',
    max: Number.isInteger(max) && max >= 0 ? max : DOMAINS_MAX,
  };
}
