import { Check, CircleDashed, TriangleAlert } from 'lucide-react';
import type { DomainRecord } from '#contract/domains.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { describeRecord, isRight } from './describe-domain.ts';

/** The records that the owner enters at the DNS provider, each with what was last seen there. */
export const DomainRecords = ({ records }: { records: readonly DomainRecord[] }) => (
  <>
    <ul
      aria-label="DNS records"
      className="mt-3 divide-y divide-line rounded-md border border-line"
    >
      {records.map((record) => (
        <li key={`${record.type} ${record.name}`} className="px-3 py-2.5">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <h3 className="text-13 font-medium">{record.type} record</h3>
            <RecordState record={record} />
          </div>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 text-13">
            <RecordPart label="Name" text={record.name} type={record.type} />
            <RecordPart label="Value" text={record.value} type={record.type} />
          </dl>
        </li>
      ))}
    </ul>
    {!records.every(isRight) && <ShortNames />}
  </>
);

const ShortNames = () => (
  <p className="mt-2 text-13 text-ink-3">
    Many providers add your domain to the name. Enter only what comes before it there:{' '}
    <bdi dir="ltr" className="font-mono">
      _hop.go
    </bdi>{' '}
    for{' '}
    <bdi dir="ltr" className="font-mono whitespace-nowrap">
      _hop.go.example.com
    </bdi>
    .
  </p>
);

const RecordPart = ({ label, text, type }: { label: string; text: string; type: string }) => (
  <div className="col-span-full grid grid-cols-subgrid items-center">
    <dt className="text-ink-3">{label}</dt>
    <dd className="m-0 flex min-w-0 items-center justify-between gap-3">
      <bdi dir="ltr" className="min-w-0 font-mono break-all">
        {text}
      </bdi>
      <CopyIcon text={text} name={`Copy the ${label.toLowerCase()} of the ${type} record`} />
    </dd>
  </div>
);

const ICONS = {
  right: { Icon: Check, tone: 'text-good' },
  wrong: { Icon: TriangleAlert, tone: 'text-bad' },
  missing: { Icon: CircleDashed, tone: 'text-warn' },
  unknown: { Icon: CircleDashed, tone: 'text-ink-3' },
} as const;

function RecordState({ record }: { record: DomainRecord }) {
  const { Icon, tone } = ICONS[record.state];
  return (
    <p className={`flex min-w-0 items-center gap-1.5 text-13 ${tone}`}>
      <Icon className="size-4 shrink-0" />
      <span className="[overflow-wrap:anywhere]">{describeRecord(record)}</span>
    </p>
  );
}
