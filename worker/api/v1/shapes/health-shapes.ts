import { watchMode } from '#contract/links/setting-schemas.ts';
import { healthState, linkHealth } from '#contract/v1/v1.ts';
import { describeAnswer, describeValue, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of the checks of watched destinations. */
export const HEALTH_SHAPES: readonly NamedSchema[] = [
  describeValue('WatchMode', watchMode, 'Whether the destination of a link is checked.'),
  describeValue(
    'HealthState',
    healthState,
    'Whether the destination works. `suspect` has failed a check, `dead` three over at least 24 hours; `unclear` says that a check could not tell. Values may be added.',
  ),
  describeAnswer('LinkHealth', linkHealth, 'What checks of a destination have found.', {
    state: 'Whether the destination works.',
    reason: 'Why the last check came to its result. Values may be added.',
    status: 'The HTTP status of the last answer; null without one.',
    detail: 'What the last check found, as a sentence.',
    checkedAt: 'When the destination was last checked.',
    since: 'When the state began.',
    replacedUrl: 'The destination that `watchFallback` replaces now; null if it replaces none.',
  }),
];
