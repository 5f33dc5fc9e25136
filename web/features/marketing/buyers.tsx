import type { ReactNode } from 'react';
import { formatNumber } from '#contract/language.ts';
import { BULK_MAX, SHARED_REPORTS_MAX, V1_BULK_MAX } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { Card } from '#web/ui/card.tsx';
import { AnalyticsPicture } from './analytics-picture.tsx';
import { ApiPicture } from './api-picture.tsx';
import { QrPicture } from './qr-picture.tsx';

const { premium } = PLANS;

type Buyer = { who: string; title: string; reason: string; picture: ReactNode };

/** Why people pay: what they do with it, each with a picture of the part that they buy it for. */
const BUYERS: readonly Buyer[] = [
  {
    who: 'Shops, menus and events',
    title: 'Print a code once, change where it leads later',
    reason: `Paste a list and get up to ${BULK_MAX} links at once, each with a QR code in your colors and with your logo. When the menu moves, the posters stay.`,
    picture: <QrPicture />,
  },
  {
    who: 'Marketing and agencies',
    title: 'A report that your client can open',
    reason: `Cities, referrers, campaigns and hours, compared with the time before. Share up to ${SHARED_REPORTS_MAX} reports by secret addresses, with the parts that you choose.`,
    picture: <AnalyticsPicture />,
  },
  {
    who: 'Developers',
    title: 'An API for the links of your product',
    reason: `${formatNumber(premium.apiRequests)} requests a minute for each key, ${formatNumber(V1_BULK_MAX)} links in one of them, and ${premium.webhooks} webhooks that tell your systems about every click.`,
    picture: <ApiPicture />,
  },
];

export const Buyers = () => (
  <ul className="m-0 grid list-none gap-4 p-0 lg:grid-cols-3">
    {BUYERS.map(({ who, title, reason, picture }) => (
      <li key={who} className="grid lg:row-span-2 lg:grid-rows-subgrid">
        <Card className="grid gap-5 p-5 sm:max-lg:grid-cols-2 sm:max-lg:items-center lg:row-span-2 lg:grid-rows-subgrid">
          <div className="grid">{picture}</div>
          <div>
            <p className="text-13 text-ink-3">{who}</p>
            <h3 className="mt-1 text-16 font-semibold text-balance">{title}</h3>
            <p className="mt-2 text-14 leading-6 text-ink-2">{reason}</p>
          </div>
        </Card>
      </li>
    ))}
  </ul>
);
