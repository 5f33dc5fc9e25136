import * as z from 'zod/mini';
import {
  DOMAIN_FAULTS,
  DOMAIN_RECORD_STATES,
  DOMAIN_STATES,
  domainName,
} from '#contract/domains.ts';
import { changesSomething } from '#contract/common-schemas.ts';
import { TARGET_MAX } from '#contract/limits.ts';

/** The domains of the public API (v1.ts). Their hosts name them. */

/** POST /api/v1/domains */
export const domainInputV1 = z.strictObject({
  name: domainName,
  confirmed: z.optional(z.boolean()),
});

const page = z.optional(z.nullable(z.string().check(z.maxLength(TARGET_MAX))));
/** PATCH /api/v1/domains/:domain */
export const domainPatchV1 = z
  .strictObject({ rootUrl: page, notFoundUrl: page })
  .check(changesSomething('Nothing to change. Send rootUrl or notFoundUrl.'));

export const domainState = z.enum(DOMAIN_STATES);
export const domainFault = z.enum(DOMAIN_FAULTS);
export const domainRecordState = z.enum(DOMAIN_RECORD_STATES);
export const domainRecordType = z.enum(['TXT', 'CNAME']);

export const domainRecordV1 = z.object({
  type: domainRecordType,
  name: z.string(),
  value: z.string(),
  state: domainRecordState,
  seen: z.array(z.string()),
});

export const domainV1 = z.object({
  name: z.string(),
  displayName: z.string(),
  shared: z.boolean(),
  state: domainState,
  fault: z.nullable(domainFault),
  suspendedReason: z.nullable(z.string()),
  records: z.array(domainRecordV1),
  rootUrl: z.string(),
  notFoundUrl: z.string(),
  createdAt: z.iso.datetime(),
  checkedAt: z.nullable(z.iso.datetime()),
});
export type V1Domain = z.infer<typeof domainV1>;

export const domainListV1 = z.object({
  data: z.array(domainV1),
  canAdd: z.boolean(),
  limit: z.int(),
  defaultDomain: z.string(),
});
export type V1DomainList = z.infer<typeof domainListV1>;
