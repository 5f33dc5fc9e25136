import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';
import { CURRENCIES, BILLING_PERIODS } from '#contract/plans/currencies.ts';
import { optionClass } from '#web/ui/selected.ts';
import { config } from '#web/shared/page/config.ts';
import { choosePrice, usePriceChoice } from './price.ts';

const PERIOD_NAMES = { month: 'Monthly', year: 'Yearly' } as const;

/**
 * The choice of a currency and of a period, each where the operator offers more than one. Takes its
 * space at once, before the choice of an earlier visit is known.
 */
export function PricePicker() {
  const choice = usePriceChoice();
  return (
    <div className="flex min-h-9 flex-wrap gap-3 pointer-coarse:min-h-11">
      {choice !== null && choice.price.year !== null && (
        <Options legend="Billing">
          {BILLING_PERIODS.map((period) => (
            <Option
              key={period}
              name="period"
              isSelected={period === choice.period}
              onSelect={() => choosePrice({ period })}
            >
              {PERIOD_NAMES[period]}
              {period === 'year' && choice.price.saving !== null && (
                <span className="text-good"> −{choice.price.saving}</span>
              )}
            </Option>
          ))}
        </Options>
      )}
      {choice !== null && config.prices.length > 1 && (
        <Options legend="Currency">
          {config.prices.map((price) => (
            <Option
              key={price.currency}
              name="currency"
              label={CURRENCIES[price.currency].name}
              isSelected={price.currency === choice.price.currency}
              onSelect={() => choosePrice({ price })}
            >
              {CURRENCIES[price.currency].sign}
            </Option>
          ))}
        </Options>
      )}
    </div>
  );
}

const Options = ({ legend, children }: { legend: string; children: ReactNode }) => (
  <fieldset className="m-0 flex min-w-0 gap-0.5 rounded-md border border-line p-0.5">
    <legend className="sr-only">{legend}</legend>
    {children}
  </fieldset>
);

function Option({
  name,
  label,
  isSelected,
  onSelect,
  children,
}: {
  name: string;
  label?: string;
  isSelected: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <label
      className={clsx(
        'relative flex min-w-9 items-center justify-center rounded-sm px-3 text-13 font-medium',
        optionClass(isSelected),
      )}
    >
      <input
        type="radio"
        name={`${name}-${id}`}
        aria-label={label}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        checked={isSelected}
        onChange={onSelect}
      />
      {/* One text: the parts of a name are not words of their own. */}
      <span>{children}</span>
    </label>
  );
}
