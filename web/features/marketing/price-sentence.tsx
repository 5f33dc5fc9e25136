import { When } from '#web/shared/page/block.tsx';
import { usePrice } from '#web/shared/plans/price.ts';

/** '₹500 per month, billed monthly, or ₹5,000 per year', without the year where there is none. */
export function PriceSentence() {
  const price = usePrice();
  return (
    <>
      {price.month} per month, billed monthly
      <When setting="yearly">, or {price.year} per year</When>
    </>
  );
}
