import { Link } from 'react-router-dom';
import { DISABLE_BOUND_SECONDS, VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { PLANS, priceText, SITE_NAME } from '#contract/site.ts';
import { config } from '#web/shared/config.ts';
import { formatNumber } from '#web/shared/format.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Points, Prose, Section, Strong } from './prose.tsx';

const { free, premium } = PLANS;

export function TermsPage() {
  return (
    <Prose title="Terms" hint="Last updated September 4, 2025">
      <p>
        These are the rules for using {SITE_NAME}. By making a short link or an account you agree to them. They are written to be
        read; where something is unclear, ask before you rely on it.
      </p>

      <Section id="service" title="The service">
        <p>
          {SITE_NAME} gives a long web address a short one and redirects whoever opens it. Without an account you can create up to{' '}
          {VISITOR_LINKS_PER_DAY} links a day, a few of them at a time. With an account you can create as many per month as your
          plan includes.
        </p>
      </Section>

      <Section id="account" title="Your account">
        <Points>
          <li>Give an email address that is yours, and confirm it.</li>
          <li>Keep your password to yourself. What is done with your account counts as done by you.</li>
          <li>One person or organisation, one free account: several accounts to get round the monthly limit may be closed.</li>
        </Points>
      </Section>

      <Section id="links" title="What a link may not lead to">
        <p>You are responsible for the links you make. They may not lead to, or be used for:</p>
        <Points>
          <li>phishing, fraud, or pretending to be somebody else,</li>
          <li>malware, or anything that harms a device or a network,</li>
          <li>spam: links sent in bulk to people who did not ask for them,</li>
          <li>content that is illegal where you are or where we are, above all anything that abuses children,</li>
          <li>hiding another redirect service, a private network or a link back to {SITE_NAME}.</li>
        </Points>
        <p>
          New links are checked against a list of blocked hosts, and existing ones again whenever the list changes. Anyone can{' '}
          <Link to="/report" className={textLinkClass}>
            report a link
          </Link>
          . A link that breaks these rules is switched off, everywhere within {DISABLE_BOUND_SECONDS} seconds, and its address
          says why. If we got it wrong, tell us: every such decision is recorded and can be undone.
        </p>
      </Section>

      <Section id="plans" title="Plans and payment">
        <Points>
          <li>
            <Strong>{free.name}</Strong> costs {priceText(free.price)} and includes {formatNumber(free.monthlyLimit)} new links a
            month.
          </li>
          <li>
            <Strong>{premium.name}</Strong> costs {priceText(premium.price)} per month, is billed monthly, and includes{' '}
            {formatNumber(premium.monthlyLimit)} new links a month. You can cancel anytime; you keep it until the paid month ends.
          </li>
          <li>
            A month runs from the day your cycle began to the same day of the next month, or that month&rsquo;s last day. Links
            that you delete do not give their place back.
          </li>
          <li>
            If you go back to {free.name}, your existing links remain and keep redirecting. You make new ones once you are under
            the limit.
          </li>
        </Points>
        <p>
          {config.billing === 'demo'
            ? 'On this installation upgrades are a demonstration: they take effect at once and no money changes hands.'
            : 'No payment provider is connected on this installation yet. Until one is, Premium is set up by hand: contact support.'}
        </p>
      </Section>

      <Section id="promise" title="What we promise, and what we do not">
        <p>
          A link you made keeps its destination until you change it, it expires on the date you set, or it breaks these rules. A
          deleted code is not given to another owner. Clicks are counted as the{' '}
          <Link to="/about#counting" className={textLinkClass}>
            about page
          </Link>{' '}
          says.
        </p>
        <p>
          Beyond that the service is provided as it is. We take care, but cannot promise that it is never interrupted, and we are
          not answerable for what stands behind the links of others, or for profit lost because a link did not work, except where
          the law says we must be.
        </p>
      </Section>

      <Section id="content" title="What is yours stays yours">
        <p>
          Your links and posts belong to you. You let us store and show them as the service needs it: a link to whoever opens it,
          a published post to everyone. What is recorded about you and your visitors is said on the{' '}
          <Link to="/privacy" className={textLinkClass}>
            privacy page
          </Link>
          .
        </p>
      </Section>

      <Section id="end" title="Ending it">
        <p>
          You can export your data and delete your account at any time in{' '}
          <Link to="/settings" className={textLinkClass}>
            Settings
          </Link>
          . We may suspend or close accounts that break these rules, and will say why: links of a suspended account stop, and a
          new account with the same address is suspended too. If the service ever ends, we will announce it on the{' '}
          <Link to="/blogs" className={textLinkClass}>
            blog
          </Link>{' '}
          at least 90 days before and keep redirects and exports working until then.
        </p>
      </Section>

      <Section id="changes" title="Changes">
        <p>
          If these terms change, the date at the top changes with them, and changes that matter are announced on the blog before
          they take effect.
        </p>
      </Section>
    </Prose>
  );
}
