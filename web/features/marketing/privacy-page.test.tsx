import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { Operator } from './operator.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { Providers } from './providers.tsx';

const before = { ...config };
afterEach(() => {
  cleanup();
  Object.assign(config, before);
});

const nobody = { name: '', address: '', email: '' };
const none = { reputation: '', copies: '' };
const hosted = { ...config.auth, mode: 'hosted' as const };

const TEXTS = [
  ['mail', { sendsMail: true }, ', and delivers our email.', Providers],
  ['mail', { sendsMail: true }, 'We also email you a weekly summary', PrivacyPage],
  ['a captcha', { turnstileSiteKey: 'k' }, 'Turnstile checks that a person', Providers],
  ['copies', { services: { ...none, copies: 'b.example' } }, 'database at b.example,', Providers],
  [
    'reputation',
    { services: { ...none, reputation: 'r.example' } },
    'r.example is asked',
    Providers,
  ],
  ['ads', { networkAds: ['home'] }, 'Google AdSense fills', Providers],
  ['ads', { networkAds: ['home'] }, 'Ads appear only on the home page', PrivacyPage],
  ['Supabase', { auth: hosted }, 'Supabase stores the sign-in accounts.', Providers],
  ['Supabase', { auth: hosted }, ', stored by the sign-in service Supabase.', PrivacyPage],
  ['an operator', { operator: { ...nobody, name: 'Acme' } }, 'is run here by Acme. For', Operator],
  [
    'an address',
    { operator: { ...nobody, name: 'Acme', address: 'Street 1' } },
    'by Acme, Street 1. For',
    Operator,
  ],
  [
    'a contact',
    { operator: { ...nobody, email: 'p@acme.example' } },
    'For questions, write to p@acme.example.',
    Operator,
  ],
] as const;

it.each(TEXTS)('the text names %s that the deployment has', (_, settings, text, Page) => {
  Object.assign(config, settings);
  showPage(<Page />);
  expect(document.body.textContent).toContain(text);
});

it('the text names nothing else, and a contact in any case', () => {
  const embedded = ['Your passkeys', 'Your sessions', 'Sessions', 'each failed sign-in'];
  showPage(<PrivacyPage />);
  for (const [, , text] of TEXTS) expect(document.body.textContent).not.toContain(text);
  for (const text of embedded) expect(document.body.textContent).toContain(text);
  expect(document.querySelector('a[href="/.well-known/security.txt"]')).not.toBeNull();
  cleanup();
  config.auth = hosted;
  config.operator = { ...nobody, email: 'p@acme.example' };
  showPage(<PrivacyPage />);
  for (const text of embedded) expect(document.body.textContent).not.toContain(text);
  expect(document.querySelectorAll('a[href="mailto:p@acme.example"]')).toHaveLength(2);
});
