import type { Variable } from './variable.ts';

/** The variables of members' own domains. */
export const DOMAIN_VARIABLES: readonly Variable[] = [
  {
    name: 'CF_SAAS_ZONE_ID',
    value: '',
    meaning:
      'Id of the zone whose custom hostnames are members’ own domains. A zone for nothing else, because its route catches every host. Without this, `CF_SAAS_TOKEN` and `CF_SAAS_TARGET`, members cannot add domains.',
  },
  {
    name: 'CF_SAAS_TOKEN',
    secret: true,
    meaning:
      'API token with the permission *SSL and Certificates: Edit* on that zone only. It can delete the certificates of all members.',
  },
  {
    name: 'CF_SAAS_TARGET',
    value: '',
    meaning:
      'The host in that zone to which members’ CNAME records lead, such as `domains.hop.example`.',
  },
  {
    name: 'DOMAINS_MAX',
    value: '100',
    meaning:
      'How many domains the members of this installation may have in all. The platform charges for more than 100, and for those that are not connected yet, too.',
  },
  {
    name: 'CF_SAAS_API_URL',
    value: '',
    meaning:
      'The API in which custom hostnames are created, instead of the platform’s, which is the default. For tests: it receives `CF_SAAS_TOKEN`.',
  },
  {
    name: 'DOMAINS_DOH_URLS',
    value: '',
    meaning:
      'Addresses of resolvers that answer JSON over HTTPS, separated by spaces. All must see the record that proves a domain. By default `https://cloudflare-dns.com/dns-query` and `https://dns.google/resolve`.',
  },
];
