import { Link } from 'react-router-dom';
import { DISABLE_BOUND_SECONDS, VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { SITE_NAME } from '#contract/site.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Points, Prose, Section, Strong } from './prose.tsx';

export function AboutPage() {
  return (
    <Prose title="About" hint={`What ${SITE_NAME} is, how it works, and what it will not do.`}>
      <p>
        {SITE_NAME} turns a long link into a short one and gets out of the way. Anyone can shorten a link, {VISITOR_LINKS_PER_DAY}{' '}
        a day without an account. With a free account you choose your own aliases, keep a list of your links, and see how often
        they are followed.
      </p>
      <Section id="redirect" title="How a redirect works">
        <p>
          A copy of each link stands at the edge of the network, near whoever clicks. A click is answered from that copy; when
          there is none, from the database that holds the truth. The answer is always a temporary redirect, so that you can change
          or switch off a link later and browsers do not remember the old way.
        </p>
        <p>
          A link that is switched off stops everywhere within <Strong>{DISABLE_BOUND_SECONDS} seconds</Strong>. A code that has
          been deleted is never given to anybody else, so an old print of yours cannot start to lead somewhere new.
        </p>
      </Section>
      <Section id="counting" title="How clicks are counted">
        <p>
          Each click is counted once, after the redirect, so that nobody waits for it. Programs that fetch links (search engines,
          chat previews, mail scanners) and pages loaded ahead by browsers are recognised and set aside: you see how many there
          were, and they are not in your total. A daily check compares every total with its parts.
        </p>
        <p>
          One person counts as one visitor per link and day. We can tell that without knowing who it is; the{' '}
          <Link to="/privacy#clicks" className={textLinkClass}>
            privacy page
          </Link>{' '}
          says how.
        </p>
      </Section>
      <Section id="preview" title="Look before you hop">
        <p>
          Add a <Strong>+</Strong> to any short link to see where it leads, when it was made, and its QR code, without going there
          and without being counted. From there, or{' '}
          <Link to="/report" className={textLinkClass}>
            from here
          </Link>
          , you can report a link that leads to harm.
        </p>
      </Section>
      <Section id="refuse" title="What it will not do">
        <Points>
          <li>Shorten anything but web addresses, or lead into private networks, other shorteners or known harmful hosts.</li>
          <li>Show an advertisement between a click and its destination.</li>
          <li>Keep network addresses, sell data, or follow people from one site to another.</li>
          <li>Break your links because a plan ended: they keep redirecting.</li>
        </Points>
      </Section>
      <Section id="open" title="Open">
        <p>
          {SITE_NAME} is open source under the MIT licence. You can read every rule on this page in the code, run it yourself, and
          take your data with you from{' '}
          <Link to="/settings" className={textLinkClass}>
            Settings
          </Link>
          .
        </p>
      </Section>
    </Prose>
  );
}
