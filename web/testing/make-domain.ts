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
  displayName: 'go.example.com',
  isShared: false,
  state: 'active',
  fault: null,
  suspendedReason: null,
  records: [TXT_RECORD, CNAME_RECORD],
  rootUrl: '',
  notFoundUrl: '',
  createdAt: '2026-11-01T12:00:00Z',
  checkedAt: '2026-11-20T12:00:00Z',
  offeredUntil: null,
  ...change,
});

/** Returns a host of the operator, which every member can use. */
export const makeSharedDomain = (name: string): Domain =>
  makeDomain({ name, displayName: name, isShared: true, records: [], checkedAt: null });

export const domainList = (
  domains: Domain[],
  change: Partial<DomainsResponse> = {},
): DomainsResponse => ({
  domains,
  canAdd: true,
  limit: 1,
  defaultDomain: '',
  offers: [],
  ...change,
});
