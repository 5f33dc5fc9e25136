import * as z from 'zod/mini';
import { FORWARDED_NAMES_MAX, QR_PARAM } from '#contract/limits.ts';

/**
 * Letters, digits and the punctuation that names of parameters use in practice. Never a comma,
 * which separates stored names, or an asterisk.
 */
const PARAM_NAME = /^[\w.~:[\]-]{1,40}$/;

export const isForwardable = (name: string): boolean => PARAM_NAME.test(name) && name !== QR_PARAM;

/**
 * The query parameters of the short URL that a redirect adds to the target: none, all, or those
 * with these names.
 */
export const forwardParams = z
  .union(
    [
      z.enum(['none', 'all']),
      z
        .array(z.string().register(z.globalRegistry, { pattern: PARAM_NAME.source }))
        .register(z.globalRegistry, { maxItems: FORWARDED_NAMES_MAX }),
    ],
    `Parameters to forward must be "none", "all" or a list of up to ${FORWARDED_NAMES_MAX} names.`,
  )
  .check(
    z.refine(
      (rule) => !Array.isArray(rule) || rule.length <= FORWARDED_NAMES_MAX,
      `At most ${FORWARDED_NAMES_MAX} parameters can be listed to be forwarded.`,
    ),
    z.refine(
      (rule) => !Array.isArray(rule) || rule.every((name) => PARAM_NAME.test(name)),
      'The name of a parameter must be 1 to 40 letters, digits or characters of _ . ~ : - [ ].',
    ),
    z.refine(
      (rule) => !Array.isArray(rule) || !rule.includes(QR_PARAM),
      `The parameter ${QR_PARAM} marks scans of the QR code and is never forwarded.`,
    ),
  );
export type ForwardParams = z.infer<typeof forwardParams>;
