import {
  linkRule,
  linkVariant,
  ruleConditions,
  statusOfRedirect,
  timeWindow,
} from '#contract/links/link-rules.ts';
import { describeRequest, describeValue, type NamedSchema } from './shape.ts';

/**
 * The OpenAPI schemas of the rules and variants of links, which requests and answers contain alike.
 */
export const RULE_SHAPES: readonly NamedSchema[] = [
  describeValue('RedirectStatus', statusOfRedirect, 'The status of a redirect.'),
  describeRequest('LinkRule', linkRule, 'Where a link leads those for whom the conditions hold.', {
    if: 'The conditions, which must all hold. At least one.',
    to: 'The destination: an http or https address of a public host.',
  }),
  describeRequest(
    'LinkVariant',
    linkVariant,
    'A destination that some of the visitors get, the same ones all day. Rules decide first, and programs that build a card of a link get its `url`.',
    {
      url: 'The destination: an http or https address of a public host.',
      weight: 'Its share of the visitors in percent. The shares add up to at most 99.',
    },
  ),
  describeRequest('RuleConditions', ruleConditions, 'Lists of allowed values.', {
    device: 'The kind of device.',
    country: 'Countries, as ISO 3166-1 codes of two letters.',
    continent: 'Continents.',
    language: 'The language that the visitor prefers most: `pt` includes `pt-br`.',
    query: 'Parameters of the short URL: `name=value`, or `name` for any value.',
    time: 'Parts of the day.',
  }),
  describeRequest('TimeWindow', timeWindow, 'A part of the day.', {
    zone: 'The time zone, such as `Europe/Berlin`.',
    days: 'The days on which it begins; absent for every day.',
    from: 'The first minute, as `09:30`.',
    to: 'The minute before which it ends. If this is not after `from`, it ends on the next day.',
  }),
];
