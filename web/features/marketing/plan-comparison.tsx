import { Check, Minus } from 'lucide-react';
import type { FeatureCell, PlanFeature } from '#contract/plans/plan-features.ts';
import { CUSTOM_DOMAINS, NO_CUSTOM_DOMAINS, PLAN_TABLE } from '#contract/plans/plan-table.ts';
import { PLANS } from '#contract/site.ts';
import { When } from '#web/shared/page/block.tsx';
import { shortHost } from '#web/shared/page/config.ts';
import { IfAvailable } from '#web/shared/plans/if-available.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

const { free, premium } = PLANS;

/** Everything that the plans include, by subject. */
export const PlanComparison = () => (
  <Card>
    <table className="w-full table-fixed border-collapse text-14 max-sm:text-13">
      <caption className="sr-only">What the plans include</caption>
      <thead>
        <tr className="border-b border-line text-13 text-ink-2">
          <th
            scope="col"
            className="w-[44%] px-4 py-3 text-start font-medium max-sm:w-[54%] sm:px-5"
          >
            Feature
          </th>
          <th scope="col" className="py-3 pe-2 text-start font-medium sm:pe-3">
            {free.name}
          </th>
          <th scope="col" className="py-3 pe-2 text-start font-medium sm:pe-3">
            {premium.name}
          </th>
        </tr>
      </thead>
      {PLAN_TABLE.map(({ name, rows }) => (
        <tbody
          key={name}
          className="divide-y divide-line border-t border-line first-of-type:border-t-0"
        >
          <tr>
            <th
              scope="rowgroup"
              colSpan={3}
              className="bg-sunken px-4 py-2 text-start text-13 font-medium sm:px-5"
            >
              {name}
            </th>
          </tr>
          {rows.map((row) => (
            <IfAvailable key={row.name} feature={row.name}>
              {row === CUSTOM_DOMAINS ? (
                <When setting="ownDomains" otherwise={<Row row={NO_CUSTOM_DOMAINS} />}>
                  <Row row={row} />
                </When>
              ) : (
                <Row row={row} />
              )}
            </IfAvailable>
          ))}
        </tbody>
      ))}
    </table>
  </Card>
);

const Row = ({ row }: { row: PlanFeature }) => (
  <tr>
    <th scope="row" className="px-4 py-3 text-start align-top font-normal text-ink-2 sm:px-5">
      {row.name}
      {row.detail !== undefined && <p className="mt-0.5 text-13 text-ink-3">{row.detail}</p>}
      {row === NO_CUSTOM_DOMAINS && (
        <div className="mt-2 max-w-64">
          <SelectField
            label="Domain"
            hideLabel
            className="font-mono"
            choices={[[shortHost(), shortHost()]]}
            defaultValue={shortHost()}
          />
        </div>
      )}
    </th>
    <td className="py-3 pe-2 align-top sm:pe-3 tabular-nums">
      <Cell cell={row.free} />
    </td>
    <td className="py-3 pe-2 align-top sm:pe-3 tabular-nums">
      <Cell cell={row.premium} />
    </td>
  </tr>
);

function Cell({ cell }: { cell: FeatureCell }) {
  if (typeof cell === 'string') return <>{cell}</>;
  const Icon = cell ? Check : Minus;
  return (
    <>
      <Icon className={`size-4 ${cell ? 'text-good' : 'text-ink-3'}`} />
      <span className="sr-only">{cell ? 'Included' : 'Not included'}</span>
    </>
  );
}
