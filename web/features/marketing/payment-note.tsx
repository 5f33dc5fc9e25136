import { config } from '#web/shared/config.ts';
import { hasSupport, SupportLink } from '#web/shared/support.tsx';

/** How an upgrade is paid in this deployment. */
export function PaymentNote() {
  if (config.billing === 'demo')
    return <>This is a demo: upgrades take effect at once and nothing is charged.</>;
  return (
    <>
      No payment provider is connected yet.
      {hasSupport() && (
        <>
          {' '}
          Contact support for a manual upgrade: <SupportLink />.
        </>
      )}
    </>
  );
}
