import type { Domain, DomainRecord, DomainsResponse } from '#contract/domains.ts';

export const TXT_RECORD: DomainRecord = {
  type: 'TXT',
  name: '_hop.go.example.com',
  value: 'hop-0123456789',
  state: 'right',
  seen: ['hop-0123456789'],
};
export const CNAME_RECORD: DomainRecord = {
  type: 'CNAME',
  name: 'go.example.com',
  value: 'domains.hop.example',
  state: 'right',
  seen: ['domains.hop.example'],
};

/** Returns an active domain of a member with its two records. */
export const makeDomain = (change: Partial<Domain> = {}): Domain => ({
  name: 'go.example.com',
  display_name: 'go.example.com',
  is_shared: false,
  state: 'active',
  fault: null,
  suspended_reason: null,
  records: [TXT_RECORD, CNAME_RECORD],
  root_url: '',
  not_found_url: '',
  created_at: '2026-11-01T12:00:00Z',
  checked_at: '2026-11-20T12:00:00Z',
  offered_until: null,
  ...change,
});

/** Returns a host of the operator, which every member can use. */
export const makeSharedDomain = (name: string): Domain =>
  makeDomain({ name, display_name: name, is_shared: true, records: [], checked_at: null });

export const domainList = (
  domains: Domain[],
  change: Partial<DomainsResponse> = {},
): DomainsResponse => ({
  domains,
  can_add: true,
  limit: 1,
  default_domain: '',
  offers: [],
  ...change,
});
