import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { composeMail } from './compose.ts';
import { MAILS, type MailText } from './texts.ts';

const EVIL = '<b>&"';
const ESCAPED = '&lt;b&gt;&amp;&quot;';
const FULL: MailText = {
  subject: `Subject ${EVIL}`,
  title: `Title ${EVIL}`,
  lead: `Lead ${EVIL}`,
  sections: [{ title: `Section ${EVIL}`, lines: [`One ${EVIL}`, `Two ${EVIL}`] }],
  button: `Button ${EVIL}`,
  validity: 'It works once.',
  alternative: { text: `Or ${EVIL}`, link: `https://hop.example/or?${EVIL}` },
  footer: `Footer ${EVIL}`,
  footerLink: { text: `Stop ${EVIL}`, link: `https://hop.example/stop?${EVIL}` },
};

describe('composeMail', () => {
  it('the text has every part of the email, in order', () => {
    const link = `https://hop.example/open?${EVIL}`;
    const mail = composeMail('ada@example.com', FULL, link, '012345');
    expect({ ...mail, html: '' }).toEqual({
      to: 'ada@example.com',
      subject: FULL.subject,
      link,
      html: '',
      text: [
        `Title ${EVIL}`,
        `Lead ${EVIL}`,
        `Section ${EVIL}:\n- One ${EVIL}\n- Two ${EVIL}`,
        `Button ${EVIL}:\n${link}`,
        'Or enter this code: 012345',
        `Or ${EVIL}:\nhttps://hop.example/or?${EVIL}`,
        'It works once.',
        `Footer ${EVIL}`,
        `Stop ${EVIL}:\nhttps://hop.example/stop?${EVIL}`,
        '— Hop',
      ].join('\n\n'),
    });
  });

  it('[T18] the HTML has every part of the email, escaped, in the order of the text', () => {
    const link = `https://hop.example/open?${EVIL}`;
    const { html } = composeMail('ada@example.com', FULL, link, '012345');
    expect(html).not.toContain(EVIL);
    for (const part of ['Subject', 'Title', 'Lead', 'Section', 'One', 'Two', 'Button', 'Footer'])
      expect(html).toMatch(new RegExp(`>${part} ${ESCAPED}( |<)`));
    for (const [path, text] of [
      ['open', 'Button'],
      ['or', 'Or'],
      ['stop', 'Stop'],
    ])
      expect(html).toMatch(
        new RegExp(
          `<a href="https://hop.example/${path}\\?${ESCAPED}"[^>]*>${text} ${ESCAPED}</a>`,
        ),
      );
    const order = ['Title', 'Section', 'One', 'Two', 'Button', '012345', 'Or &', 'It', 'Footer'];
    const places = order.map((part) => html.search(new RegExp(`>${part}[ <l]`)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(html).toContain('It works once.');
  });

  it('an email without a link has no button, code or alternative', () => {
    const { text, html, link } = composeMail('ada@example.com', {
      subject: 'Subject',
      title: 'Title',
      lead: 'Lead',
      footer: 'Footer',
    });
    expect([text, link]).toEqual(['Title\n\nLead\n\nFooter\n\n— Hop', '']);
    expect(html).not.toContain('<a ');
  });
});

describe('MAILS', () => {
  const browser = { browser: null, system: null, country: null, time: 'now', provider: 'Acme' };
  it.each<[MailText, ...string[]]>([
    [MAILS.passkey('Phone', 'added'), 'was added to your', 'signs in to your account, without'],
    [MAILS.passkey('Phone', 'removed'), 'removed from your', '“Phone” no longer signs in'],
    [MAILS.key('hop_a', 'created'), 'A new API key was created', 'hop_a…'],
    [MAILS.key('hop_a', 'rotated'), 'An API key got a new secret'],
    [MAILS.plan(null), 'is now Free', 'From now on you', 'Open Settings, change your'],
    [MAILS.plan('May 2'), 'Free on May 2', 'Until then you keep', 'press “Keep Premium”, '],
    [MAILS.planSet('premium', ''), 'now Premium', '1,000 links', 'it is about your Hop account'],
    [MAILS.webhookStopped('a.example', 'gone'), 'It answered 410 (Gone).'],
    [MAILS.webhookStopped('a.example', 'failing'), 'has failed for 5 days'],
    [MAILS.newBrowser({ ...browser, method: 'password' }), 'unknown', 'removes the password'],
    [MAILS.newBrowser({ ...browser, method: 'otp' }), 'from an email', 'It ends that sign-in'],
    [MAILS.newBrowser({ ...browser, method: 'oauth' }), 'With: your account at Acme'],
    [MAILS.newBrowser({ ...browser, method: 'webauthn' }), 'With: a passkey'],
    [MAILS.newBrowser({ ...browser, method: null }), 'and for 7 days after it.'],
    [MAILS.domainFailing('a.example', 3), 'For 3 days, ', 'after one, three and six days'],
    [MAILS.domainOffered('a.example', 'ann@b.example'), 'The offer ends after 7 days.'],
    [MAILS.domainLost('a.example'), 'another account', 'They no longer redirect there.'],
    [MAILS.domainTransferred('a.example', 'b@b.example'), 'b@b.example', 'no longer redirect'],
    [MAILS.factorOn(2 * DAY_MS), 'signs everyone out and removes the password', 'for 2 days.'],
    [MAILS.resetReady(2 * DAY_MS), 'The 24 hours', 'our earlier email, which stops it'],
    [MAILS.unreachable(2, ['a']), 'three checks over 24 hours', 'and 1 more link', 'once a day'],
    [MAILS.webhookStopped('a.example', 'gone'), 'can be sent again for two weeks'],
    [MAILS.suspended('Spam.', ''), 'signed out everywhere', 'do not redirect', 'Reason: Spam.'],
    [MAILS.restored, 'You can sign in again.', 'unless they were disabled for another reason'],
    [MAILS.deletion, 'This cannot be undone.'],
    [MAILS.password(DAY_MS), 'signs everyone out, removes the new password'],
    [MAILS.account('https://a.example/'), 'there is no code to enter', 'https://a.example/'],
    [MAILS.alert('recovery', 'Cron is fine: again.'), 'Hop has recovered: Cron is fine'],
    [MAILS.signup(MINUTE_MS / 2), 'once, for 1 minute.'],
    [MAILS.signup(1.5 * HOUR_MS), 'once, for 90 minutes.'],
    [MAILS.signup(DAY_MS), 'once, for 24 hours.'],
    [MAILS.signup(2 * DAY_MS), 'once, for 2 days.'],
  ])('the mail %# says what has happened', (mail, ...parts) => {
    for (const part of parts) expect(JSON.stringify(mail)).toContain(part);
  });
});
