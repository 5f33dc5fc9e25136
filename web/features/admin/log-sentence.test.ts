import { describe, expect, it } from 'vitest';
import type { AdminLogEntry } from '#contract/moderation/admin.ts';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import { describeActor, describeEntry } from './log-sentence.ts';

const entry = (
  action: string,
  subject: string,
  before: unknown = null,
  after: unknown = null,
): AdminLogEntry => ({
  id: 1,
  at: '2026-11-22T05:00:00.000Z',
  adminId: 'a0a0a0a0-0000-4000-8000-000000000000',
  adminEmail: 'admin@example.com',
  action,
  subject,
  subjectEmail: subject === 'user:known' ? 'ann@example.com' : '',
  before,
  after,
  reason: '',
});

const ANN = 'user:known';
const MAIL = 'ann@example.com';
const APPS = 'Changed the app links for';
const FREE = { plan_type: 'free' };
const USER = { role: 'user' };
const ADMIN = { role: 'admin' };
const TWO = { links: 2 };
const BULK = { links: 2, key: 'CI', action: 'disable' };
const KEY = { name: 'CI', prefix: 'hop_live' };
const HOOK = { host: 'hooks.example', enabled: true };
const AT_HOOK = 'the webhook at hooks.example';
const PUBLISHED = { title: 'A', published: true };

describe('describeEntry', () => {
  it.each([
    [
      'change_app_links',
      'app-links:apple',
      null,
      { apps: ['ABCDE12345.com.example.app'] },
      'Changed the app links for iPhone: ABCDE12345.com.example.app',
    ],
    [
      'change_app_links',
      'app-links:android',
      { apps: ['com.example.app'] },
      null,
      'Removed the app links for Android',
    ],
    [
      'change_app_links',
      'app-links:android',
      { apps: ['com.example.app'], host: 'go.example.com' },
      null,
      'Removed the app links for Android on go.example.com',
    ],
    [
      'update_plan',
      'user:known',
      { plan_type: 'premium' },
      { plan_type: 'free' },
      'Plan of ann@example.com: Premium → Free',
    ],
    [
      'update_plan',
      'user:known',
      null,
      { plan_type: 'premium' },
      'Plan of ann@example.com: Free → Premium',
    ],
    [
      'downgrade_plan',
      'user:known',
      { plan_type: 'premium' },
      { plan_type: 'free' },
      'Plan of ann@example.com: Premium → Free',
    ],
    [
      'downgrade_plan',
      'user:known',
      { plan_type: 'premium' },
      { downgrade_at: '2026-12-12T00:00:00.000Z' },
      'ann@example.com changes to Free on Dec 12, 2026',
    ],
    [
      'create_api_key',
      'user:known',
      null,
      { key: 'id', name: 'CI', scopes: 'links:read', prefix: 'hop_live_Ab3x' },
      'ann@example.com created the API key “CI” (hop_live_Ab3x…)',
    ],
    ['delete_link', 'link:abc', null, { key: 'CI' }, 'Deleted the link /abc by key “CI”'],
    [
      'change_webhook',
      'user:known',
      null,
      { webhook: 'w1', host: 'hooks.example', events: 'link.created', enabled: false },
      'ann@example.com changed the webhook at hooks.example (disabled)',
    ],
    [
      'cancel_downgrade',
      'user:known',
      { plan_type: 'premium' },
      { downgrade_at: null },
      'ann@example.com stays on Premium',
    ],
    [
      'reset_usage',
      'user:known',
      { current_usage: 7, monthly_limit: 1000 },
      { current_usage: 0 },
      'Usage of ann@example.com: 7 of 1,000 → 0',
    ],
    [
      'set_role',
      'user:known',
      { role: 'user' },
      { role: 'admin' },
      'Role of ann@example.com: Member → Administrator',
    ],
    [
      'grant_admin',
      'user:1a2b3c4d-5e6f',
      { role: 'user' },
      { role: 'admin' },
      'Role of user 1a2b3c4d: Member → Administrator',
    ],
    [
      'suspend_user',
      'user:known',
      { suspended: false },
      { links: 1 },
      'Suspended ann@example.com (1 link)',
    ],
    [
      'lift_suspension',
      'user:known',
      { suspended: true },
      { links: 0 },
      'Lifted the suspension of ann@example.com',
    ],
    ['disable_links', 'link:abc', null, { links: 1 }, 'Disabled the link /abc'],
    ['disable_links', 'host:evil.example', null, { links: 3 }, 'Disabled 3 links to evil.example'],
    [
      'enable_links',
      `user:${DELETED_OWNER}1a2b3c4d5e`,
      null,
      { links: 3 },
      'Restored 3 links of deleted account 1a2b3c4d',
    ],
    [
      'import_blocklist',
      'blocklist',
      null,
      { added: 1, first: ['a.example'] },
      'Added 1 entry to the blocklist: a.example',
    ],
    [
      'import_blocklist',
      'blocklist',
      null,
      { added: 9, first: ['a.example', 'b.example'] },
      'Added 9 entries to the blocklist: a.example, b.example, …',
    ],
    [
      'remove_blocklist',
      'blocklist:https://a.example/x:1',
      { value: 'x' },
      null,
      'Removed https://a.example/x:1 from the blocklist',
    ],
    [
      'decide_report',
      'report:12',
      { status: 'open' },
      { status: 'dismissed' },
      'Report 12: open → dismissed',
    ],
    ['create_post', 'post:a', null, { title: 'A', published: true }, 'Published the post “A”'],
    ['create_post', 'post:a', null, { title: 'A', published: false }, 'Created the draft “A”'],
    [
      'change_post',
      'post:a',
      { title: 'A', published: true },
      { title: 'A', published: false },
      'Unpublished the post “A”',
    ],
    [
      'change_post',
      'post:a',
      { title: 'A', published: true },
      { title: 'B', published: true },
      'Renamed the post “A” to “B”',
    ],
    [
      'change_post',
      'post:a',
      { title: 'A', published: true },
      { title: 'A', published: true },
      'Changed the post “A”',
    ],
    ['delete_post', 'post:a', { title: 'A', published: true }, null, 'Deleted the post “A”'],
    ['repair_counts', 'clicks', { ok: false }, null, 'Rebuilt the click totals of all links'],
    ['change_app_links', 'app-links:android', null, { apps: [] }, `${APPS} Android: no app`],
    ['update_plan', ANN, { plan_type: 'gold' }, FREE, `Plan of ${MAIL}: gold → Free`],
    ['reset_usage', ANN, { current_usage: 7 }, null, `Usage of ${MAIL}: 7 → 0`],
    ['renew_import', ANN, { imported_links: 7 }, null, `Import allowance of ${MAIL}: 7 used → 0`],
    ['claim_admin', ANN, USER, ADMIN, `Role of ${MAIL}: Member → Administrator`],
    ['leave_admin_group', ANN, ADMIN, USER, `Role of ${MAIL}: Administrator → Member`],
    ['turn_off_factor', ANN, null, null, `Turned off the authenticator app of ${MAIL}`],
    ['suspend_domain', 'domain:a.example', null, TWO, 'Suspended the domain a.example (2 links)'],
    ['restore_domain', 'domain:a.example', null, TWO, 'Restored the domain a.example (2 links)'],
    ['enable_links', 'link:abc', null, { links: 1 }, 'Restored the link /abc'],
    ['remove_card', 'link:abc', null, null, 'Removed the preview card of the link /abc'],
    ['rotate_api_key', ANN, null, KEY, `${MAIL} rotated the API key “CI” (hop_live…)`],
    ['revoke_api_key', ANN, null, KEY, `${MAIL} revoked the API key “CI” (hop_live…)`],
    ['share_report', ANN, null, null, `${MAIL} shared a report`],
    ['stop_sharing', ANN, null, null, `${MAIL} stopped sharing a report`],
    ['test_alert', 'alerts', null, null, 'Sent a test alert'],
    ['replay_clicks', 'clicks', null, null, 'Counted clicks that were set aside'],
    ['change_link', 'link:abc', null, { key: 'CI' }, 'Changed the link /abc by key “CI”'],
    ['change_links', ANN, null, BULK, `${MAIL} changed 2 links by key “CI”: disable`],
    ['create_webhook', ANN, null, HOOK, `${MAIL} added the webhook at hooks.example`],
    ['change_webhook', ANN, null, HOOK, `${MAIL} changed the webhook at hooks.example`],
    ['rotate_webhook', ANN, null, HOOK, `${MAIL} rotated the secret of ${AT_HOOK}`],
    ['delete_webhook', ANN, null, HOOK, `${MAIL} deleted ${AT_HOOK}`],
    ['change_post', 'post:a', { published: false }, PUBLISHED, 'Published the post “A”'],
  ])('describes %s of %s', (action, subject, before, after, sentence) => {
    expect(describeEntry(entry(action, subject, before, after))).toBe(sentence);
  });

  it.each([
    ['new_action', 'user:known', 'New action: ann@example.com'],
    ['constructor', 'thing', 'Constructor: thing'],
    ['update_plan', 'user:known', 'Plan of ann@example.com: Free → Free'],
    ['import_blocklist', 'blocklist', 'Added 0 entries to the blocklist'],
    ['delete_post', 'post:a', 'Deleted the post “a”'],
  ])('describes %s of %s without facts', (action, subject, sentence) => {
    for (const facts of [null, 'text', 7, ['x'], {}])
      expect(describeEntry(entry(action, subject, facts, facts))).toBe(sentence);
  });
});

describe('describeActor', () => {
  it('names an administrator, a deleted account and the system', () => {
    const by = (adminId: string, adminEmail = '') =>
      describeActor({ ...entry('x', 'y'), adminId, adminEmail });
    expect(by('1a2b3c4d-5e6f', 'admin@example.com')).toBe('admin@example.com');
    expect(by('1a2b3c4d-5e6f')).toBe('user 1a2b3c4d');
    expect(by(`${DELETED_OWNER}1a2b3c4d5e`)).toBe('deleted account 1a2b3c4d');
    expect(by('system')).toBe('the system');
  });
});
