import { SITE_NAME } from '#contract/site.ts';
import { When } from '#web/shared/page/block.tsx';
import { config } from '#web/shared/page/config.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Section } from './prose.tsx';

/** Who runs the deployment, as its settings say. */
export function Operator() {
  return (
    <Section id="operator" title="Who runs this site">
      <p className="[overflow-wrap:anywhere]">
        <When
          setting="operator"
          otherwise="The operator of this installation has not entered a name."
        >
          {SITE_NAME} is run here by {config.operator.name}
          <When setting="address">, {config.operator.address}</When>.
        </When>{' '}
        For questions, <PrivacyContact />.
      </p>
    </Section>
  );
}

/** An instruction such as 'write to privacy@hop.example', within a sentence. */
export function PrivacyContact() {
  const { email } = config.operator;
  return (
    <When
      setting="contact"
      otherwise={
        <>
          use the contact in{' '}
          <a href="/.well-known/security.txt" className={textLinkClass}>
            security.txt
          </a>
        </>
      }
    >
      write to{' '}
      <a href={`mailto:${email}`} className={textLinkClass}>
        {email}
      </a>
    </When>
  );
}
