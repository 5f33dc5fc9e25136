import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { DISABLE_PROMISE, PLANS, SITE_NAME } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { SupportLine } from '#web/shared/plans/support.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { termsDates } from './legal-dates.ts';
import { Operator } from './operator.tsx';
import { When } from '#web/shared/page/block.tsx';
import { usePrice } from '#web/shared/plans/price.ts';
import { PaymentNote } from './payment-note.tsx';
import { PriceSentence } from './price-sentence.tsx';
import { Points, Prose, Section, Strong } from './prose.tsx';

const { free, premium } = PLANS;

export function TermsPage() {
  const price = usePrice();
  return (
    <Prose title="Terms" hint={termsDates()}>
      <p>
        These are the terms for using {SITE_NAME}. By creating a link or an account you agree to
        them.
      </p>
      <SupportLine lead="Is something unclear?" className="mt-3" />

      <Operator />

      <Section id="service" title="The service">
        <p>
          {SITE_NAME} creates short links and redirects everyone who opens them to your destination.
          Without an account you can create {VISITOR_LINKS_PER_DAY} links a day. With an account
          your plan sets a monthly limit.
        </p>
      </Section>

      <Section id="account" title="Your account">
        <Points>
          <li>Use your own email address and confirm it.</li>
          <li>
            Keep your password secret. You are responsible for everything done with your account.
          </li>
          <li>
            Each person or organization may have one free account. We may close additional accounts
            that are used to exceed the monthly limit.
          </li>
        </Points>
      </Section>

      <Section id="links" title="Prohibited links">
        <p>You are responsible for the links you create. They must not lead to, or be used for:</p>
        <Points>
          <li>phishing, fraud or impersonation,</li>
          <li>malware, or anything else that harms a device or a network,</li>
          <li>spam: links sent in bulk to people who did not request them,</li>
          <li>
            content that is illegal where you are or where we are, in particular child abuse
            material,
          </li>
          <li>hiding another redirect service, a private network or a link back to {SITE_NAME}.</li>
        </Points>
        <p>
          We check new links against a list of blocked hosts, and existing links whenever that list
          changes. Anyone can <TextLink to="/report">report a link</TextLink>. We disable links that
          violate these terms, and their page then says why. {DISABLE_PROMISE} If you think we made
          a mistake, ask for a review with the same form: every such decision is logged and can be
          undone.
        </p>
      </Section>

      <Section id="plans" title="Plans and payment">
        <Points>
          <li>
            <Strong>{free.name}</Strong> costs {price.free} and includes{' '}
            {formatNumber(free.monthlyLimit)} new links a month.
          </li>
          <li>
            <Strong>{premium.name}</Strong> costs <PriceSentence />, and includes{' '}
            {formatNumber(premium.monthlyLimit)} new links a month. You can cancel anytime in your
            settings, at once or at the end of the month.
          </li>
          <li>
            Your monthly cycle runs from the day it started to the same day of the next month, or to
            that month&rsquo;s last day. Deleting links does not restore quota.
          </li>
          <li>
            If you downgrade to {free.name}, your existing links remain and keep redirecting. You
            can create new links once your usage is below the limit.
          </li>
        </Points>
        <p>
          <When setting="demo">
            This is a demo: upgrades take effect at once and nothing is charged.
          </When>
          <PaymentNote />
        </p>
      </Section>

      <Section id="promise" title="Our promises and their limits">
        <p>
          Your link redirects to its destination until you change, disable or delete it, it reaches
          the end date you set, or it violates these terms. The code of a deleted link is never
          given to another owner. The <TextLink to="/about#counting">about page</TextLink> explains
          how clicks are counted.
        </p>
        <p>
          Apart from that, the service is provided as is. We cannot guarantee that it is always
          available. Except where the law requires it, we are not liable for the content behind
          other people&rsquo;s links or for losses caused by a link that did not work.
        </p>
      </Section>

      <Section id="content" title="Your content">
        <p>
          Your links and posts belong to you. You allow us to store them and to show them as the
          service requires: a link to everyone who opens it, and a published post to everyone. The{' '}
          <TextLink to="/privacy">privacy page</TextLink> lists what we store about you and your
          visitors.
        </p>
      </Section>

      <Section id="end" title="Ending the agreement">
        <p>
          You can export your data and delete your account at any time in{' '}
          <TextLink to="/settings">Settings</TextLink>. We may suspend or close accounts that
          violate these terms, and will tell you why. The links of a suspended account stop
          redirecting, and a new account with the same email address is suspended too. If we ever
          shut down the service, we will announce it on the <TextLink to="/blogs">blog</TextLink> at
          least 90 days in advance. Redirects and exports will work until then.
        </p>
      </Section>

      <Section id="changes" title="Changes">
        <p>
          If we change these terms, we update the date at the top. We announce important changes on
          the blog before they take effect.
        </p>
      </Section>
    </Prose>
  );
}
