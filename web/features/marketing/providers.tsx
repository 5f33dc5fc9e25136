import { When } from '#web/shared/page/block.tsx';
import { config } from '#web/shared/page/config.ts';
import { Points, Section } from './prose.tsx';

/** The companies that get data from this deployment, as its settings say. */
export function Providers() {
  return (
    <Section id="others" title="Service providers">
      <p>These companies process data for us:</p>
      <Points>
        <li>
          Cloudflare runs the servers, the database and the backups
          <When setting="mail">, and delivers our email</When>.
        </li>
        <When setting="embedded" otherwise={<li>Supabase stores the sign-in accounts.</li>} />
        <When setting="captcha">
          <li>
            Cloudflare Turnstile checks that a person fills in the report form
            <When setting="embedded">, a sign-up and a password reset</When>. Your browser loads it
            on these forms, and Cloudflare sees your IP address and facts about your browser.
          </li>
        </When>
        <When setting="copies">
          <li className="[overflow-wrap:anywhere]">
            A bucket that is not at Cloudflare holds another copy of the database at{' '}
            {config.services.copies}, for as long as our own backups.
          </li>
        </When>
        <When setting="reputation">
          <li className="[overflow-wrap:anywhere]">
            {config.services.reputation} is asked whether the host of a link&rsquo;s destination or
            of a webhook is known to be harmful. It gets the host name, and nothing about you or
            your visitors.
          </li>
        </When>
        <When setting="ads">
          <li>Google AdSense fills the places for ads and sees the browsers that load them.</li>
        </When>
      </Points>
      <p>We do not sell your data or share it with anyone else.</p>
    </Section>
  );
}
