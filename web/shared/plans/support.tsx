import type { ReactNode } from 'react';
import { PLANS } from '#contract/site.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { When } from '#web/shared/page/block.tsx';
import { config } from '#web/shared/page/config.ts';
import { useOwnPlan } from '#web/shared/api/use-me.ts';

/**
 * A link that writes to support. The subject of a Premium member's mail says so, because those are
 * answered first.
 */
export function SupportLink({
  className = textLinkClass,
  children,
}: {
  className?: string;
  children?: ReactNode;
}) {
  const subject =
    useOwnPlan() === 'premium'
      ? `?subject=${encodeURIComponent(`${PLANS.premium.name} support`)}`
      : '';
  return (
    <a href={`mailto:${config.supportEmail}${subject}`} className={className}>
      {children ?? config.supportEmail}
    </a>
  );
}

/** Shows 'Need help? Contact support at support@hop.example.', or nothing without an address. */
export function SupportLine({
  lead = 'Need help?',
  className = '',
}: {
  lead?: string;
  className?: string;
}) {
  return (
    <When setting="support">
      <p className={`text-13 text-ink-3 [overflow-wrap:anywhere] ${className}`}>
        {lead} Contact support at <SupportLink />.
      </p>
    </When>
  );
}
