import {
  domainFault,
  domainInputV1,
  domainListV1,
  domainPatchV1,
  domainRecordState,
  domainRecordType,
  domainRecordV1,
  domainState,
  domainV1,
  type V1Domain,
} from '#contract/v1/v1-domains.ts';
import { describeAnswer, describeRequest, describeValue, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of domains. */

const EXAMPLE: V1Domain = {
  name: 'go.example.com',
  displayName: 'go.example.com',
  shared: false,
  state: 'unproven',
  fault: 'record_missing',
  suspendedReason: null,
  records: [
    {
      type: 'TXT',
      name: '_hop.go.example.com',
      value: 'hop-domain=Zm9yIHRoaXMgYWNjb3VudA',
      state: 'missing',
      seen: [],
    },
  ],
  rootUrl: 'https://example.com/',
  notFoundUrl: '',
  createdAt: '2027-01-31T12:00:00.000Z',
  checkedAt: '2027-01-31T12:05:00.000Z',
};
const PAGES = {
  rootUrl: 'Where the root of the host leads; empty for a page that names this service.',
  notFoundUrl: 'Where unknown codes lead; empty for the 404 page.',
};
const NAME = 'The host, in lower case, with international letters as `xn--` labels.';

export const DOMAIN_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'DomainState',
    domainState,
    '`unproven`: the TXT record is missing. `pending`: proven, and not connected yet. `active`: serves links. `failing`: was active, and its last checks failed. `suspended`: stopped by an administrator.',
  ),
  describeValue(
    'DomainFault',
    domainFault,
    'Why the domain does not work, or not yet. Values may be added.',
  ),
  describeValue('DomainRecordType', domainRecordType, 'The type of a DNS record.'),
  describeValue(
    'DomainRecordState',
    domainRecordState,
    'What the last check has seen. `unknown` before the first one, and while DNS does not answer.',
  ),
  describeAnswer('DomainRecord', domainRecordV1, 'A record to enter at the DNS provider.', {
    type: 'Its type.',
    name: 'Its name, complete.',
    value: 'Its value.',
    state: 'Whether it is there.',
    seen: 'The values that are there.',
  }),
  describeAnswer(
    'Domain',
    domainV1,
    'A host on which links can be created.',
    {
      ...PAGES,
      name: NAME,
      displayName: 'The host with international letters.',
      shared: 'True for a host of the operator, which all members share and nobody can change.',
      state: 'Whether it serves links.',
      fault: 'What is missing or wrong; null for nothing.',
      suspendedReason: 'Why an administrator has suspended it; null if it is not.',
      records: 'The DNS records that it needs. Empty for a host of the operator.',
      createdAt: 'When it was added.',
      checkedAt: 'When DNS was last asked; null before the first time.',
    },
    EXAMPLE,
  ),
  describeAnswer(
    'DomainList',
    domainListV1,
    'The domains of an account.',
    {
      data: 'The domains.',
      canAdd: 'Whether this deployment lets members add domains.',
      limit: 'How many domains the plan includes.',
      defaultDomain: 'The domain of new links that name none; empty for the own short host.',
    },
    { data: [EXAMPLE], canAdd: true, limit: 1, defaultDomain: '' },
  ),
  describeRequest('DomainInput', domainInputV1, 'A domain to add.', {
    name: 'A host of your own, such as `go.example.com`.',
    confirmed: 'Needed for a host that has a website or mail now, which would stop.',
  }),
  describeRequest('DomainPatch', domainPatchV1, 'What changes. Absent members keep their value.', {
    rootUrl: `${PAGES.rootUrl} Null clears it.`,
    notFoundUrl: `${PAGES.notFoundUrl} Null clears it.`,
  }),
];
