import { When } from '#web/shared/block.tsx';
import { SupportLink } from '#web/shared/support.tsx';

export function PaymentNote() {
  return (
    <When
      setting="demo"
      otherwise={
        <>
          No payment provider is connected yet.
          <When setting="support">
            {' '}
            Contact support for a manual upgrade: <SupportLink />.
          </When>
        </>
      }
    >
      This is a demo: upgrades take effect at once and nothing is charged.
    </When>
  );
}
