import { Link } from 'react-router-dom';
import {
  KEEP_DAYS_MONTHS,
  KEEP_HOURS_DAYS,
  KEEP_IDLE_SESSIONS_DAYS,
  KEEP_RECENT_CLICKS_DAYS,
  KEEP_UNCONFIRMED_DAYS,
  KEEP_VISITOR_KEYS_HOURS,
  KEEP_WINDOW_IDS_DAYS,
  RECENT_CLICKS_MAX,
  VISITOR_LINKS_PER_DAY,
} from '#contract/limits.ts';
import { SITE_NAME } from '#contract/site.ts';
import { config } from '#web/shared/config.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Facts, Points, Prose, Section, Strong } from './prose.tsx';

/** Database backups of the platform (point-in-time recovery) reach this far back. */
const BACKUP_DAYS = 30;

const KEPT = [
  { name: 'Your account', value: 'Until you delete it' },
  ...(config.auth.mode === 'hosted'
    ? []
    : [
        { name: 'An account that was never confirmed', value: `${KEEP_UNCONFIRMED_DAYS} days` },
        { name: 'A session', value: `Until you sign out, or ${KEEP_IDLE_SESSIONS_DAYS} days without use` },
      ]),
  { name: 'Your links', value: 'With your account; a link that you delete stops for good, and its code stays reserved' },
  {
    name: 'The quota that a deleted account had used',
    value: 'Until the end of its monthly cycle, under a keyed hash of the address',
  },
  { name: 'A suspension or a lost admin role', value: 'Until an administrator lifts it, under a keyed hash of the address' },
  { name: 'Clicks by hour', value: `${KEEP_HOURS_DAYS} days, then folded into days` },
  { name: 'Clicks by day', value: `${KEEP_DAYS_MONTHS} months, then folded into months` },
  { name: 'Recent clicks', value: `The last ${RECENT_CLICKS_MAX} of a link, at most ${KEEP_RECENT_CLICKS_DAYS} days` },
  { name: 'Daily visitor keys', value: `${KEEP_VISITOR_KEYS_HOURS} hours, then destroyed` },
  { name: 'Marks against counting twice', value: `${KEEP_WINDOW_IDS_DAYS} days; they name no person` },
  { name: 'Reports about links', value: 'As long as they are evidence; they hold neither name nor address' },
  { name: 'Backups of the database', value: `${BACKUP_DAYS} days` },
];

export function PrivacyPage() {
  const hosted = config.auth.mode === 'hosted';
  return (
    <Prose title="Privacy" hint="Last updated September 3, 2025">
      <p>
        {SITE_NAME} needs little to do its work, so it keeps little. This page says what is stored about you when you use the
        site, what is stored about people who follow a short link, for how long, and how you get rid of it.
      </p>

      <Section id="account" title="If you have an account">
        <Points>
          <li>
            <Strong>Your email address</Strong>, to sign you in and to send the confirmation and password mails you ask for. There
            is no newsletter.
          </li>
          <li>
            <Strong>Your password</Strong>, as a hash that cannot be turned back
            {hosted ? ', kept by the sign-in service Supabase' : ''}.
          </li>
          <li>
            <Strong>Your plan</Strong>: which one, how many links you made in the running month, and when that month began.
          </li>
          <li>
            <Strong>Your links</Strong>: the long address, the code or alias, when you made or changed it, and whether it is
            switched off.
          </li>
          <li>
            <Strong>Your posts</Strong>, if you write for the blog.
          </li>
          <li>When you signed up and when you last used the site.</li>
        </Points>
        <p>
          If an administrator changes your plan or your role, disables one of your links or suspends your account, that change is
          kept in a log, with its reason, so that it can be explained and undone.
        </p>
      </Section>

      <Section id="visitor" title="If you shorten a link without an account">
        <p>
          Only the link is stored, and nothing that says who made it. To keep the service usable for all, at most{' '}
          {VISITOR_LINKS_PER_DAY} links a day can be made from one network. The counter for this holds a keyed fingerprint of the
          network, not its address, and goes after a day.
        </p>
      </Section>

      <Section id="clicks" title="If you follow a short link">
        <p>The owner of a link sees counts, and for its most recent clicks one line each. A click records:</p>
        <Points>
          <li>the time,</li>
          <li>the country, and if known the region and city, as the network derives them from the connection,</li>
          <li>the kind of device, the browser and the operating system,</li>
          <li>the site you came from: its host name only, never the page.</li>
        </Points>
        <p>
          <Strong>Your network address is never stored or logged.</Strong> To count a person once per link and day, we compute a
          fingerprint of address, browser and link under a secret key. The key changes every day and is destroyed, together with
          the fingerprints, within {KEEP_VISITOR_KEYS_HOURS} hours; from then on nothing that we run can link a fingerprint to an
          address, or one day to the next. The platform&rsquo;s own backups hold both for {BACKUP_DAYS} days; we restore one only
          after a loss of data, and then what is older than {KEEP_VISITOR_KEYS_HOURS} hours is destroyed again within the hour.
        </p>
        <p>
          If your browser sends <Strong>Global Privacy Control</Strong> or <Strong>Do Not Track</Strong>, the click is counted
          without any fingerprint. Opening the preview of a link (with a + at its end) is not counted at all.
        </p>
      </Section>

      <Section id="retention" title="How long it is kept">
        <Facts items={KEPT} />
        <p>These numbers are the ones in the program that deletes: they are read from the same place as this page.</p>
      </Section>

      <Section id="browser" title="In your browser">
        <p>
          We set no cookies. The browser&rsquo;s local storage holds your session while you are signed in, and your choice of
          light or dark if you make one; after a sign-up, until you confirm your address, it holds a random key that shows that
          this browser signed up. The tab keeps a post that you are writing until it is saved. If you do none of this, your
          browser stores nothing of ours but its ordinary cache.
        </p>
        <p>
          Where this site shows an advertisement of an ad network, it does so on the home and the analytics page only, labelled as
          such, and that network&rsquo;s own rules apply to it. The advertisement is in a sandboxed frame: it cannot read the page
          around it, its address or your session. It never stands between a short link and its destination.
        </p>
      </Section>

      <Section id="others" title="Who else is involved">
        <Points>
          <li>Cloudflare runs the servers, the database and the mail delivery on our behalf.</li>
          {hosted && <li>Supabase keeps the sign-in accounts on our behalf.</li>}
          <li>Nobody gets your data to use it for themselves. We do not sell it and we do not lend it.</li>
        </Points>
      </Section>

      <Section id="rights" title="Take it with you, or delete it">
        <p>
          In{' '}
          <Link to="/settings" className={textLinkClass}>
            Settings
          </Link>{' '}
          you can download everything that belongs to your account as one file, and delete the account without asking anyone.
          Deleting ends all your sessions and removes your address, your plan and your drafts at once. You choose what happens to
          your links: they are removed, with what they led to, or they keep working without your name. Published posts stay
          without a name. A suspended account cannot be deleted here; ask us instead.
        </p>
        <p>After deletion we keep only this:</p>
        <Points>
          <li>A one-way hash of the deleted account, so that an old session cannot open it again.</li>
          <li>
            A keyed hash of your email address, if you used links in the running monthly cycle or an administrator took the admin
            role from you. A new account with the same address starts with the links already used in that cycle, and does not
            become an administrator automatically. The used links are forgotten when the cycle ends. The hash holds no address and
            cannot be turned back without a key that is outside the database.
          </li>
          <li>
            The links that you chose to keep, grouped under a random label, so that abuse by all of them can be stopped at once.
          </li>
          <li>Click counts and log lines that no longer say whose they were.</li>
        </Points>
        <p>
          The address of a suspended account is remembered in the same way, so that a new account with it is suspended too. Copies
          in backups are gone after {BACKUP_DAYS} days.
        </p>
        <p>
          For a question, or to have something about you corrected, use the contact in{' '}
          <a href="/.well-known/security.txt" className={textLinkClass}>
            security.txt
          </a>
          . To have a link looked at, use the{' '}
          <Link to="/report" className={textLinkClass}>
            report form
          </Link>
          .
        </p>
      </Section>
    </Prose>
  );
}
