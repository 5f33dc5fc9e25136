import { ACCOUNT_SHAPES } from './account-shapes.ts';
import { CARD_SHAPES } from './card-shapes.ts';
import { ACTION_SHAPES } from './action-shapes.ts';
import { CLICK_SHAPES } from './click-shapes.ts';
import { DOMAIN_SHAPES } from './domain-shapes.ts';
import { EVENT_SHAPES } from './event-shapes.ts';
import { HEALTH_SHAPES } from './health-shapes.ts';
import { HISTORY_SHAPES } from './history-shapes.ts';
import { IMPORT_SHAPES } from './import-shapes.ts';
import { LINK_SHAPES } from './link-shapes.ts';
import { RULE_SHAPES } from './rule-shapes.ts';
import { REPORT_SHAPES } from './report-shapes.ts';
import { WEBHOOK_SHAPES } from './webhook-shapes.ts';
import type { NamedSchema } from './shape.ts';

/** All schemas with a name, in the order of the document. */
export const SHAPES: readonly NamedSchema[] = [
  ...LINK_SHAPES,
  ...HEALTH_SHAPES,
  ...ACTION_SHAPES,
  ...RULE_SHAPES,
  ...CARD_SHAPES,
  ...HISTORY_SHAPES,
  ...IMPORT_SHAPES,
  ...REPORT_SHAPES,
  ...CLICK_SHAPES,
  ...ACCOUNT_SHAPES,
  ...DOMAIN_SHAPES,
  ...WEBHOOK_SHAPES,
  ...EVENT_SHAPES,
];
