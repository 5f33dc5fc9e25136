import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { CHECK_PAUSE_MAX_DAYS } from '#contract/links/watch.ts';
import { DISABLE_PROMISE, SITE_NAME } from '#contract/site.ts';
import { TextLink } from '#web/ui/external-link.tsx';
import { Points, Prose, Section, Strong } from './prose.tsx';

export function AboutPage() {
  return (
    <Prose title="About" hint={`What ${SITE_NAME} is, how it works, and what it doesn’t do.`}>
      <p>
        {SITE_NAME} makes links short. Anyone can shorten up to {VISITOR_LINKS_PER_DAY} links a day
        without an account. A free account adds custom aliases, a list of your links, and click
        counts.
      </p>
      <Section id="redirect" title="How a redirect works">
        <p>
          {SITE_NAME} stores a copy of each link at the edge of the network, close to your visitors.
          A redirect is served from that copy, or from the main database if there is no copy yet.
          Every redirect is temporary, so browsers don’t cache it and you can change or disable a
          link at any time.
        </p>
        <p>
          {DISABLE_PROMISE} The code of a deleted link is never given to anyone else, so a link you
          once printed can’t lead somewhere you didn’t choose.
        </p>
      </Section>
      <Section id="counting" title="How clicks are counted">
        <p>
          Every click is counted exactly once, after the redirect, so counting never slows it down.
          Bots (search engines, chat previews, mail scanners) and browser prefetches are counted
          separately and are not part of your total. A daily check compares the totals of links that
          were clicked lately with their parts, and once a week those of all links.
        </p>
        <p>
          Each person counts as one visitor per link and day. The{' '}
          <TextLink to="/privacy#clicks">privacy page</TextLink> explains how we do this without
          knowing who they are.
        </p>
      </Section>
      <Section id="preview" title="Previews">
        <p>
          Add a <Strong>+</Strong> to any short URL to see its destination, its creation date and
          its QR code. Opening a preview does not count as a click. If a link is harmful, report it
          from its preview or with the <TextLink to="/report">report form</TextLink>.
        </p>
      </Section>
      <Section id="checks" title="Checks of destinations">
        <p>
          Members can have us check whether the destination of a link still works. A check is a HEAD
          request, or GET where HEAD is not allowed, at most twice a day for a link. Its user agent
          is <Strong>{SITE_NAME}-LinkCheck</Strong>. We send a host one request at a time, at least
          10 seconds apart, keep its <Strong>Retry-After</Strong>, and read no page.
        </p>
        <p>
          If you operate a site and want to be left alone, answer 429 with a{' '}
          <Strong>Retry-After</Strong> of up to {CHECK_PAUSE_MAX_DAYS} days.
        </p>
      </Section>
      <Section id="limits" title={`What ${SITE_NAME} doesn’t do`}>
        <Points>
          <li>
            Shorten links to private networks, other link shorteners or blocked hosts, or anything
            other than web addresses.
          </li>
          <li>Show ads between a click and its destination.</li>
          <li>Store IP addresses, sell data, or track people across sites.</li>
          <li>Stop your links when a plan ends. They keep redirecting.</li>
        </Points>
      </Section>
      <Section id="open-source" title="Open source">
        <p>
          {SITE_NAME} is open source under the MIT license. You can read the code, run your own
          copy, and export your data in <TextLink to="/settings">Settings</TextLink>.
        </p>
      </Section>
    </Prose>
  );
}
