import { plural } from '#contract/language.ts';
import { SITE_NAME } from '#contract/site.ts';
import { LOCK_OUT, SIGNED_IN } from './factor-texts.ts';

const BUTTON = 'Open Domains';
const LINKS_STAY = 'Your links on it stay in your account with their clicks.';

/** Mails about members' own domains. `host` is shown as people read it. */
export const DOMAIN_MAILS = {
  domainFailing: (host: string, days: number) => ({
    subject: `${host} has not worked for ${plural(days, 'day')}`,
    title: `${host} does not work`,
    lead: `For ${plural(days, 'day')}, the checks of your domain have failed, so its short links may not redirect. The page below shows which record to change at your DNS provider. ${LINKS_STAY}`,
    button: BUTTON,
    footer: `You get this email after one, three and six days. If you no longer need the domain, delete it on that page.`,
  }),
  domainProven: (host: string) => ({
    subject: `${host} is now in your ${SITE_NAME} account`,
    title: `${host} is yours`,
    lead: `You have proven the domain, which another account had before. That account has lost it. Its links do not come with it.`,
    button: BUTTON,
    footer: `If that was not you, somebody can change the records of your domain and use your account. Delete the domain, ${LOCK_OUT}`,
  }),
  domainLost: (host: string) => ({
    subject: `Another account now has ${host}`,
    title: `${host} has left your account`,
    lead: `Your record at the DNS provider is gone, and another account has proven the domain with its own. ${LINKS_STAY} They no longer redirect there.`,
    button: BUTTON,
    footer:
      'If the domain is yours, remove the other record, enter yours again and check the domain on that page. Its links then work again.',
  }),
  domainOffered: (host: string, from: string) => ({
    subject: `${from} wants to give you ${host}`,
    title: `A domain for your ${SITE_NAME} account`,
    lead: `${from} offers you the domain ${host} for your own short links. Nothing changes unless you accept it on the page below.`,
    button: BUTTON,
    validity: 'The offer ends after 7 days.',
    footer: 'If you do not know the sender, decline the offer there or ignore this email.',
  }),
  domainTransferred: (host: string, to: string) => ({
    subject: `${to} has accepted ${host}`,
    title: `${host} has a new owner`,
    lead: `You offered the domain to ${to}, who has accepted it. ${LINKS_STAY} They no longer redirect there.`,
    button: BUTTON,
    footer: `${SIGNED_IN} Open Settings, ${LOCK_OUT}`,
  }),
};
