import { expect, it } from 'vitest';
import type { FakeAccount } from './testing/fake-account.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

const notesOf = ({ lines }: { lines: readonly string[] }) =>
  lines.filter((line) => line.startsWith('Note: ')).join('\n');

it('[T66] a note reminds of the length that the secret of a hosted project needs', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  const hosted = {
    SUPABASE_URL: 'https://project.example.com',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  };
  await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, ...hosted } });
  // A hosted project sends its own mails.
  expect(notesOf(owner)).toBe('');
  platform.account.workers.get('hop-production')?.secrets.set('SUPABASE_JWT_SECRET', 'short');
  await owner.upgrade({ vars: { MAIL_FROM: 'a@other.example' } });
  const notes = notesOf(owner);
  expect(notes).toContain('SUPABASE_JWT_SECRET is set. It needs at least 32 bytes');
  expect(notes).not.toContain('Email Sending');
});

const sender = { MAIL_FROM: 'Hop <hop@example.com>' };
it.each<[string, Record<string, string>, FakeAccount['sendingDomains'], RegExp]>([
  ['without a sender', {}, [], /^Note: MAIL_FROM is not set, so no mail is sent$/],
  ['without a sender but without confirmations', { AUTH_AUTOCONFIRM: 'on' }, [], /^$/],
  ['with a sender whose domain is not set up', sender, [], /email sending enable example\.com/],
  ['with a sender of another domain', { MAIL_FROM: 'a@other.example' }, [], /enable other\.ex/],
  [
    'with a sender whose domain is switched off',
    sender,
    [{ name: 'example.com', enabled: false }],
    /^Note: Email Sending is not enabled/,
  ],
  ['with a sender of a subdomain only', sender, [{ name: 'm.example.com' }], /is not enabled/],
  ['with a sender that works', sender, [{ name: 'example.com' }], /^$/],
  ['with a login that may not read the domains', sender, null, /^Note: The login may not read/],
])('a deployment %s has its note about mail, or none', async (_, vars, domains, notes) => {
  const platform = await newPlatform();
  platform.account.sendingDomains = domains;
  const owner = machine(platform);
  await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, ...vars } });
  expect(notesOf(owner).replace(/so no mail is sent.*/, 'so no mail is sent')).toMatch(notes);
});

it.each([
  ['A 192.0.2.1', true],
  ['AAAA 2001:db8::1', true],
  ['CNAME other.example', true],
  ['TXT verification', false],
])('the DNS record %s of a host stops a deployment: %s', async (record, stops) => {
  const platform = await newPlatform();
  platform.account.dnsRecords.set('hop.example.com', record);
  const deployed = machine(platform).deploy();
  await (stops ? expect(deployed).rejects.toThrow(`a DNS record (${record})`) : deployed);
});

it('a note names a variable that changes, and none that stays or is new', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, AUTH_AUTOCONFIRM: 'on' } });
  expect(notesOf(owner)).toBe('');
  // A variable that the running release does not know is no change.
  const bindings = platform.account.workers.get('hop-production')?.versions[0]?.bindings ?? [];
  bindings.splice(
    bindings.findIndex(({ name }) => name === 'STATUS_PAGE'),
    1,
  );
  await owner.upgrade({ vars: { EXTRA_HOSTS: 'old.example.com', STATUS_PAGE: 'on' } });
  expect(notesOf(owner)).toBe('Note: EXTRA_HOSTS changes from "" to "old.example.com".');
});
