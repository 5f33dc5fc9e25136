import type { ShortenRequest } from '#contract/links/links.ts';
import { RequestError } from '#web/shared/api/api.ts';
import { upgradeOffer } from '#web/shared/plans/plans.ts';

export type ShortenError = {
  text: string;
  /** The field with the error, or 'form' if no field has it. */
  field: keyof ShortenRequest | 'form';
  upgradeRequired: boolean;
};

const NO_RESPONSE = 'Failed to shorten URL. Please try again.';

/**
 * Returns the message for a link that could not be shortened, and the field of `request` that has
 * the error. The flag `upgradeRequired`, never the status, distinguishes a used-up quota from too
 * many requests. See docs/decisions.md#d8.
 */
export function describeShortenError(cause: unknown, request: ShortenRequest): ShortenError {
  if (!(cause instanceof RequestError) || cause.body.error === undefined)
    return { text: NO_RESPONSE, field: 'form', upgradeRequired: false };
  const { error, field, upgradeRequired } = cause.body;
  if (cause.status === 429 && upgradeRequired === true)
    return {
      text: `${error.replace(/\.$/, '')}. ${upgradeOffer()}`,
      field: 'form',
      upgradeRequired: true,
    };
  // An error about one of several tags is in `tags.2`.
  const [name = ''] = (field ?? '').split('.');
  return { text: error, field: has(request, name) ? name : 'form', upgradeRequired: false };
}

const has = (request: ShortenRequest, name: string): name is keyof ShortenRequest =>
  Object.hasOwn(request, name);
