import { domainInputV1, domainListV1, domainPatchV1, domainV1 } from '#contract/v1/v1-domains.ts';
import { BODY, type Operation } from './operation.ts';

const PREFIX = 'Domains belong to the account, so this needs a key without a code prefix.';
const domain = (description: string) => ({ status: 200, content: domainV1, description }) as const;

export const domainOperations: Readonly<Record<string, Operation>> = {
  'GET /api/v1/domains': {
    id: 'listDomains',
    summary: 'List domains',
    description: `The hosts on which the account can create links, besides the deployment’s own short host. ${PREFIX}`,
    answer: { status: 200, content: domainListV1, description: 'All domains.' },
    errors: [],
  },
  'POST /api/v1/domains': {
    id: 'addDomain',
    summary: 'Add a domain',
    description: `\`records\` of the answer has what to enter at the DNS provider. Enter the TXT record, check the domain, and enter the CNAME record that the answer then has. ${PREFIX}`,
    body: { schema: domainInputV1, example: { name: 'links.example.com' } },
    answer: { status: 201, content: domainV1, description: 'The domain, not proven yet.' },
    errors: [...BODY, 'conflict', 'quota_reached'],
  },
  'GET /api/v1/domains/:domain': {
    id: 'getDomain',
    summary: 'Read a domain',
    description: PREFIX,
    answer: domain('The domain.'),
    errors: ['not_found'],
  },
  'PATCH /api/v1/domains/:domain': {
    id: 'updateDomain',
    summary: 'Choose the pages of a domain',
    description: PREFIX,
    body: { schema: domainPatchV1, example: { rootUrl: 'https://example.com/' } },
    answer: domain('The domain as it is now.'),
    errors: [...BODY, 'invalid_target', 'not_found'],
  },
  'POST /api/v1/domains/:domain/check': {
    id: 'checkDomain',
    summary: 'Check a domain now',
    description: `Reads its DNS records and asks the platform, up to 5 times a minute. ${PREFIX}`,
    answer: domain('The domain, with what the check has seen.'),
    errors: ['not_found'],
  },
  'DELETE /api/v1/domains/:domain': {
    id: 'deleteDomain',
    summary: 'Delete a domain',
    description: `Its links stay in the account and stop. Another account can then prove the host. ${PREFIX}`,
    answer: { status: 204, content: null, description: 'The domain is deleted.' },
    errors: ['not_found'],
  },
};
