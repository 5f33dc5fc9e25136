import { When } from '#web/shared/page/block.tsx';
import { SupportLink } from '#web/shared/plans/support.tsx';

/** How to pay, where nothing can. That a demo charges nothing is said at the upgrade. */
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
    />
  );
}
