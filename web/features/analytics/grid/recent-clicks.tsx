import { useState } from 'react';
import type { RecentClick } from '#contract/analytics.ts';
import { Button } from '#web/ui/button.tsx';
import { Table } from '#web/ui/table.tsx';
import { countryName, flagEmoji } from './countries.ts';

const SHOWN_FIRST = 10;
const time = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });

/** The ten most recent clicks, with a button that shows all of them. */
export function RecentClicks({ clicks }: { clicks: RecentClick[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? clicks : clicks.slice(0, SHOWN_FIRST);
  return (
    <>
      <Table
        caption="Recent clicks, newest first"
        columns={COLUMNS}
        rows={shown}
        keyOf={(click) => `${click.clicked_at} ${clicks.indexOf(click)}`}
      />
      {clicks.length > SHOWN_FIRST && (
        <div className="mt-3 text-center">
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer clicks' : `Show all ${clicks.length} clicks`}
          </Button>
        </div>
      )}
    </>
  );
}

const COLUMNS = [
  {
    header: 'Time',
    lead: true,
    cell: (click: RecentClick) => (
      <time dateTime={click.clicked_at} title={click.clicked_at}>
        {time.format(new Date(click.clicked_at))}
      </time>
    ),
  },
  {
    header: 'Country',
    cell: (click: RecentClick) => (
      <>
        <span aria-hidden="true">{flagEmoji(click.country)} </span>
        {countryName(click.country)}
      </>
    ),
  },
  { header: 'Device type', cell: (click: RecentClick) => click.device_type },
  { header: 'Browser', cell: (click: RecentClick) => click.browser },
];
