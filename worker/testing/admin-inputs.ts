import {
  blocklistImport,
  blocklistQuery,
  moderationAction,
  reportDecision,
  reportsQuery,
} from '#contract/moderation/abuse.ts';
import { appLinksChange, appLinksQuery } from '#contract/pages/app-links.ts';
import { adminAction, adminClaimRequest, adminQuery } from '#contract/moderation/admin.ts';
import { systemAction } from '#contract/system/system.ts';

const USER = '00000000-0000-4000-8000-000000000000';
const moderation = { action: 'disable', reason: 'Phishing.', reportId: 1 };

/** The input of the routes below `/api/admin`, a part of `ROUTE_INPUTS`. */
export const ADMIN_INPUTS = {
  'GET /api/admin/system': {},
  'POST /api/admin/system': { body: { schema: systemAction, examples: [{ action: 'replay' }] } },
  'POST /api/admin/system/test-alert': {},
  'DELETE /api/admin/cards/:code': {},
  'GET /api/admin/app-links': {
    query: { schema: appLinksQuery, example: { domain: '' } },
  },
  'POST /api/admin/app-links': {
    body: {
      schema: appLinksChange,
      examples: [
        { file: 'apple', content: '{"webcredentials":{"apps":[]}}' },
        { file: 'android', content: '' },
      ],
    },
  },
  'GET /api/admin': {
    query: {
      schema: adminQuery,
      example: {
        action: 'users',
        q: 'a',
        cursor: '1',
        role: 'user',
        plan: 'free',
        suspended: 'no',
        status: 'active',
        held: 'no',
        owner: USER,
      },
    },
  },
  'POST /api/admin/claim': { body: { schema: adminClaimRequest, examples: [{ token: 'x' }] } },
  'POST /api/admin': {
    body: {
      schema: adminAction,
      examples: [
        { action: 'update_plan', user_id: USER, plan_type: 'free' },
        { action: 'reset_usage', user_id: USER },
        { action: 'set_role', user_id: USER, role: 'user' },
        { action: 'repair_counts' },
      ],
    },
  },
  'GET /api/admin/reports': {
    query: { schema: reportsQuery, example: { status: 'open', cursor: '1' } },
  },
  'GET /api/admin/reports/:id': {},
  'POST /api/admin/reports/:id': {
    body: { schema: reportDecision, examples: [{ status: 'dismissed' }] },
  },
  'POST /api/admin/moderation': {
    body: {
      schema: moderationAction,
      examples: [
        { ...moderation, scope: { kind: 'link', code: 'nobody' } },
        { ...moderation, scope: { kind: 'host', host: 'nobody.example.net' } },
        { ...moderation, scope: { kind: 'user', userId: USER } },
      ],
    },
  },
  'GET /api/admin/blocklist': {
    query: { schema: blocklistQuery, example: { q: 'a', cursor: 'host:a' } },
  },
  'POST /api/admin/blocklist': {
    body: {
      schema: blocklistImport,
      examples: [{ hosts: 'nobody.example.net', reason: 'Phishing.' }],
    },
  },
  'DELETE /api/admin/blocklist/:value': {},
};
