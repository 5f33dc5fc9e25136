import { CLICK_STORAGE } from '#contract/reports/click-storage.ts';
import {
  BROWSER_LINKS_MAX,
  KEEP_COPIES,
  KEEP_LINK_CLAIMS_DAYS,
  KEEP_VISITOR_KEYS_HOURS,
  PLATFORM_HISTORY_DAYS,
  VISITOR_LINKS_PER_DAY,
} from '#contract/limits.ts';
import { SITE_NAME } from '#contract/site.ts';
import { When } from '#web/shared/page/block.tsx';
import { SupportLink } from '#web/shared/plans/support.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { privacyDates } from './legal-dates.ts';
import { Operator, PrivacyContact } from './operator.tsx';
import { Points, Prose, FactList, Section, Strong } from './prose.tsx';
import { Providers } from './providers.tsx';
import { RETENTION } from './retention.ts';

export function PrivacyPage() {
  return (
    <Prose title="Privacy" hint={privacyDates()}>
      <p>
        {SITE_NAME} stores as little as possible. This page explains what we store about you and
        about people who follow your links, how long we keep it, and how to export or delete it.
      </p>

      <Operator />

      <Section id="account" title="If you have an account">
        <p>We store:</p>
        <Points>
          <li>
            <Strong>Your email address</Strong>, to sign you in
            <When setting="mail">
              {' '}
              and to email you about your account: confirmations, password resets, changes of your
              password, your plan, your API keys and your webhooks, and what our administrators
              decide about your account or links. We also email you a weekly summary of your links
              if you turn it on in Settings; each one has a link that stops them
            </When>
            . There is no newsletter.
          </li>
          <li>
            <Strong>Your password</Strong>, as a hash that cannot be reversed
            <When setting="embedded" otherwise=", stored by the sign-in service Supabase" />.
          </li>
          <When setting="embedded">
            <li>
              <Strong>Your passkeys</Strong>, if you add some: their public keys, the name you gave
              them, the kind of device, when you added them and when you last used them.
            </li>
          </When>
          <li>
            <Strong>Your plan</Strong>, the number of links you created this month, and when your
            monthly cycle started.
          </li>
          <li>
            <Strong>Your links</Strong>: the destination, the code or alias, when you created or
            changed the link, and whether it is disabled.
          </li>
          <li>
            <Strong>Your posts</Strong>, if you write for the blog.
          </li>
          <li>When you signed up and when you last used the site.</li>
          <When setting="embedded">
            <li>
              <Strong>Your sessions</Strong>: for each, the browser, the operating system and the
              country of the sign-in, in a word each, when it was and when you last used it, so that
              you can find and end a session that is not yours.
            </li>
          </When>
        </Points>
        <p>
          If an administrator changes your plan or your role, disables one of your links or suspends
          your account, we log the change with its reason, so that it can be explained and undone.
        </p>
        <p>
          The server&rsquo;s log has a line for each{' '}
          <When setting="embedded">sign-in, each failed sign-in and each </When>refused request for
          what only administrators may do, so that attacks are noticed. In place of the email
          address and the IP address it has keyed hashes, which cannot be reversed without a key
          that is stored elsewhere.
        </p>
      </Section>

      <Section id="visitor" title="If you shorten a link without an account">
        <p>
          We store the link and nothing about who created it. To prevent abuse, one network can
          create at most {VISITOR_LINKS_PER_DAY} links a day. The counter for this limit contains a
          keyed hash of the network, not its address, and is deleted after a day.
        </p>
        <p>
          Your browser gets a random key for the link, with which you can add it to an account. We
          store only a hash of the key, until you use it or for {KEEP_LINK_CLAIMS_DAYS} days.
        </p>
      </Section>

      <Section id="clicks" title="If you open a short URL">
        <p>
          The owner of the link sees click counts and a list of recent clicks. For each click we
          record:
        </p>
        <Points>
          <li>the time,</li>
          <li>
            the country and, if known, the region and city, derived from your network connection,
          </li>
          <li>the device type, the browser and the operating system,</li>
          <li>the host name of the site you came from, never the page,</li>
          <li>
            whether you scanned a QR code, the campaign that the link names (its UTM source, medium
            and campaign) and, for a link with several destinations, the one you got.
          </li>
        </Points>
        <p>{CLICK_STORAGE}</p>
        <p>
          <Strong>We never store or log your IP address.</Strong> To count each person once per link
          and day, we compute a visitor key: a keyed hash of your IP address, your browser and the
          link. The secret for these keys changes daily. The secret and the visitor keys are
          destroyed within {KEEP_VISITOR_KEYS_HOURS} hours. After that, nothing we run can connect a
          visitor key to an IP address or to another day. The platform&rsquo;s own backups keep both
          for up to {PLATFORM_HISTORY_DAYS} days. We restore a backup only after a loss of data, and
          anything in it that is older than {KEEP_VISITOR_KEYS_HOURS} hours is destroyed again
          within the hour.
        </p>
        <p>
          If your browser sends <Strong>Global Privacy Control</Strong> or{' '}
          <Strong>Do Not Track</Strong>, we count the click without a visitor key. Opening the
          preview of a link (with a + at the end) is not counted.
        </p>
      </Section>

      <Section id="retention" title="How long we keep data">
        <FactList items={RETENTION} />
        <p>This list is generated from the same settings as the jobs that delete the data.</p>
      </Section>

      <Section id="browser" title="In your browser">
        <p>
          We set no cookies. Your browser&rsquo;s local storage holds your session while you are
          signed in, and your color scheme if you choose one. After you sign up, it also holds a
          random key until you confirm your email address; the key proves that this browser signed
          up. If you shorten links without an account, it holds a list of the last{' '}
          {BROWSER_LINKS_MAX} with their keys, which you can clear on the home page, and for an hour
          a link that you typed and did not shorten. While you write a blog post, your browser tab
          stores the draft. If you import links from a file, your browser stores its rows until your
          next import, and what you said about its columns, until you sign out or until somebody
          else signs in. So that it knows whose rows they are, it stores the ID of your account
          until you sign out. Otherwise your browser stores nothing from us apart from its normal
          cache.
        </p>
        <When setting="ads">
          <p>
            Ads appear only on the home page and the analytics page and are labeled as ads. They
            come from Google AdSense, whose own privacy policy applies to them. They run in a
            sandboxed frame and cannot read the page, its address or your session. We never show ads
            between a link and its destination.
          </p>
        </When>
      </Section>

      <Providers />

      <Section id="rights" title="Export or delete your data">
        <p>
          In <TextLink to="/settings">Settings</TextLink> you can download all of your
          account&rsquo;s data as one file, and delete your account. Deleting it ends all your
          sessions and removes your email address, your plan and your drafts at once. You choose
          what happens to your links: they are deleted with their destinations, or they keep working
          without your name. Published posts stay without your name. You can&rsquo;t delete a
          suspended account yourself
          <When setting="support">
            ; contact support at <SupportLink /> instead
          </When>
          .
        </p>
        <p>After the deletion we keep only:</p>
        <Points>
          <li>A one-way hash of the deleted account, so that old sessions cannot use it.</li>
          <li>
            A keyed hash of your email address, if you created links in the current monthly cycle or
            an administrator removed your admin role. A new account with the same address starts
            with the quota already used in that cycle and does not become an administrator
            automatically. The used quota is deleted when the cycle ends. The hash does not contain
            the address and cannot be reversed without a key that is stored outside the database.
          </li>
          <li>
            The links you chose to keep, grouped under a random label, so that abuse can be stopped
            for all of them at once.
          </li>
          <li>Click counts and log entries that no longer identify you.</li>
        </Points>
        <p>
          The address of a suspended account is remembered in the same way, so that a new account
          with it is suspended too.
        </p>
        <p>
          Backups that were made before the deletion still contain your account: ours until the last
          of them is deleted, after at most {KEEP_COPIES.months} months, and the platform&rsquo;s
          for up to {PLATFORM_HISTORY_DAYS} days. We use them only after a loss of data, and what we
          restore from ours is then deleted again.
        </p>
        <p>
          If you have a question or want us to correct data about you, <PrivacyContact />. To have a
          link reviewed, use the <TextLink to="/report">report form</TextLink>.
        </p>
      </Section>
    </Prose>
  );
}
