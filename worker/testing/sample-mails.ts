import { HOUR_MS } from '#contract/time.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { weeklyMailText } from '#worker/mail/weekly-mail-text.ts';

const TO = 'ada@example.com';
const APP = 'https://hop.example';
const SUPPORT = 'help@hop.example';
const settings = `${APP}/settings`;
const confirm = `${APP}/auth/confirm#type=signup&token_hash=${'a1B2'.repeat(10)}`;

/** An example of every mail; a new mail of `MAILS` needs one. */
const SAMPLES: Readonly<Record<keyof typeof MAILS | 'weekly', Mail>> = {
  signup: composeMail(TO, MAILS.signup(24 * HOUR_MS), confirm, '012345'),
  recovery: composeMail(TO, MAILS.recovery(HOUR_MS), confirm, '543210'),
  account: composeMail(TO, MAILS.account(`${APP}/auth?tab=forgot`), `${APP}/auth`),
  password: composeMail(TO, MAILS.password(48 * HOUR_MS), confirm),
  providerConnected: composeMail(TO, MAILS.providerConnected('Acme'), settings),
  newBrowser: composeMail(
    TO,
    MAILS.newBrowser({
      browser: 'Firefox',
      system: 'Linux',
      country: 'Portugal',
      time: 'Nov 26, 2026, 21:30 UTC',
      method: 'password',
      provider: 'Acme',
    }),
    confirm,
  ),
  factorOn: composeMail(TO, MAILS.factorOn(48 * HOUR_MS), confirm),
  factorOff: composeMail(TO, MAILS.factorOff, settings),
  recoveryCodes: composeMail(TO, MAILS.recoveryCodes, settings),
  resetRequested: composeMail(TO, MAILS.resetRequested(Date.UTC(2026, 10, 27, 9)), confirm),
  resetReady: composeMail(TO, MAILS.resetReady(48 * HOUR_MS), confirm),
  passkey: composeMail(TO, MAILS.passkey('Firefox on Windows', 'added'), settings),
  mailbox: composeMail(TO, MAILS.mailbox('Acme'), '', '246810'),
  deletion: composeMail(TO, MAILS.deletion),
  plan: composeMail(TO, MAILS.plan('December 12'), settings),
  planKept: composeMail(TO, MAILS.planKept, settings),
  planSet: composeMail(TO, MAILS.planSet('premium', SUPPORT), settings),
  linksDisabled: composeMail(
    TO,
    MAILS.linksDisabled({
      count: 3,
      shortUrls: [`${APP}/summer`, `${APP}/winter-sale`],
      reason: 'Reported as phishing.',
      support: SUPPORT,
    }),
    `${APP}/dashboard`,
  ),
  unreachable: composeMail(
    TO,
    MAILS.unreachable(2, [
      'hop.example/summer → https://example.com/summer: The destination answered 404.',
      'hop.example/menu → https://menu.example/: The host of the destination has no address.',
    ]),
    `${APP}/dashboard?health=dead`,
  ),
  suspended: composeMail(TO, MAILS.suspended('Many links were reported.', SUPPORT)),
  restored: composeMail(TO, MAILS.restored, `${APP}/dashboard`),
  key: composeMail(TO, MAILS.key('hop_a1b2', 'created'), `${settings}/api`),
  app: composeMail(TO, MAILS.app('assistant.example'), `${settings}/api`),
  webhook: composeMail(TO, MAILS.webhook('hooks.example.com'), `${settings}/webhooks`),
  webhookStopped: composeMail(
    TO,
    MAILS.webhookStopped('hooks.example.com', 'failing'),
    `${settings}/webhooks`,
  ),
  domainFailing: composeMail(TO, MAILS.domainFailing('go.acme.example', 3), `${settings}/domains`),
  domainProven: composeMail(TO, MAILS.domainProven('go.acme.example'), `${settings}/domains`),
  domainLost: composeMail(TO, MAILS.domainLost('go.acme.example'), `${settings}/domains`),
  domainOffered: composeMail(
    TO,
    MAILS.domainOffered('go.acme.example', 'ada@acme.example'),
    `${settings}/domains`,
  ),
  domainTransferred: composeMail(
    TO,
    MAILS.domainTransferred('go.acme.example', 'bob@acme.example'),
    `${settings}/domains`,
  ),
  alert: composeMail(
    TO,
    MAILS.alert('alert', 'Cron has stopped: no job has run for 12 minutes.'),
    `${APP}/admin?tab=system`,
  ),
  weekly: composeMail(
    TO,
    weeklyMailText({
      days: [20_780, 20_786],
      clicks: 1_204,
      clicksBefore: 961,
      visitors: 845,
      top: [
        { name: 'hop.example/summer-sale', clicks: 800, clicksBefore: 640 },
        { name: 'hop.example/poster', clicks: 404, clicksBefore: 0 },
      ],
      stopped: [{ name: 'hop.example/spring', reason: 'ended' }],
      hasMoreStopped: true,
      unsubscribeLink: `${APP}/unsubscribe#token`,
    }),
    `${APP}/analytics?range=7d`,
  ),
};

export const SAMPLE_MAILS: readonly (readonly [string, Mail])[] = Object.entries(SAMPLES);
