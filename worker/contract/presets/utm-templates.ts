import * as z from 'zod/mini';
import { UTM_TEMPLATE_NAME_MAX, UTM_VALUE_MAX } from '#contract/limits.ts';
import { oneLine } from '#contract/common-schemas.ts';

/** The UTM parameters of a link, by the names they have here. In a URL each begins with `utm_`. */
export const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];

const value = (name: UtmField) => z._default(oneLine(`The ${name}`, UTM_VALUE_MAX), '');

/**
 * POST /api/utm-templates saves UTM values under a name. A template with this name, ignoring case,
 * is replaced.
 */
export const utmTemplateInput = z
  .object({
    name: oneLine('The name', UTM_TEMPLATE_NAME_MAX).check(
      z.minLength(1, 'The name of a template must not be empty.'),
    ),
    source: value('source'),
    medium: value('medium'),
    campaign: value('campaign'),
    term: value('term'),
    content: value('content'),
  })
  .check(
    z.refine(
      (template) => UTM_FIELDS.some((field) => template[field] !== ''),
      'A template needs at least one UTM value: source, medium, campaign, term or content.',
    ),
  );

/** The answer to POST. A value that is '' is not part of the template. */
export type UtmTemplate = { id: number; name: string } & Record<UtmField, string>;

/** GET /api/utm-templates: all templates of the member, by name. */
export type UtmTemplatesResponse = { templates: UtmTemplate[] };
