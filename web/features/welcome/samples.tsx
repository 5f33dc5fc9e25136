import { shortHost } from '#web/shared/config.ts';

/** Small decorative pictures of the product; the text beside them describes the features. */
const DAYS = [3, 5, 4, 8, 6, 11, 9, 14, 10, 13, 19, 15, 12, 16, 22, 18, 25, 21] as const;

export function AliasSample() {
  return (
    <span className="flex max-w-full items-stretch overflow-hidden rounded-md border border-line-strong bg-surface font-mono text-12 sm:text-14">
      <span className="border-r border-line bg-sunken px-1.5 sm:px-2.5 py-2 [overflow-wrap:anywhere] text-ink-3">
        {shortHost()}/
      </span>
      <span className="px-1.5 sm:px-2.5 py-2 whitespace-nowrap">
        spring-sale
        <span className="ml-px inline-block h-4 w-px translate-y-0.5 bg-accent" />
      </span>
    </span>
  );
}

export function ClicksSample() {
  return (
    <span className="flex h-full w-full max-w-72 items-end gap-1 pt-6">
      {DAYS.map((clicks) => (
        <span
          key={clicks}
          className={`flex-1 rounded-t-sm ${clicks === DAYS.at(-1) ? 'bg-accent' : 'bg-line-strong/60'}`}
          style={{ height: `${(clicks / 25) * 100}%` }}
        />
      ))}
    </span>
  );
}

export function PreviewSample() {
  return (
    <span className="flex max-w-full flex-wrap justify-center font-mono text-13 sm:text-16">
      <span className="[overflow-wrap:anywhere] text-ink-3">{shortHost()}</span>
      <span className="shrink-0">
        <span className="text-ink-3">/</span>spring-sale
        <span className="ml-0.5 rounded-sm bg-accent-soft px-1 font-medium text-accent">+</span>
      </span>
    </span>
  );
}

const FINDERS = ['0 0', '14 0', '0 14'] as const;
const DOTS =
  '9 0,11 1,9 3,12 4,8 6,10 6,0 9,3 10,6 8,8 9,10 10,12 9,14 8,17 9,19 10,9 12,11 13,8 14,13 15,15 14,18 14,20 16,10 17,12 18,15 18,17 17,9 20,13 20,16 20,19 19';

export function QrSample() {
  return (
    <svg viewBox="-2 -2 25 25" className="h-22 rounded-md bg-paper" shapeRendering="crispEdges">
      <g className="fill-on-paper">
        {FINDERS.map((at) => (
          <g key={at} transform={`translate(${at})`}>
            <path d="M0 0h7v7H0zM1 1v5h5V1z" fillRule="evenodd" />
            <path d="M2 2h3v3H2z" />
          </g>
        ))}
        {DOTS.split(',').map((at) => (
          <path key={at} transform={`translate(${at})`} d="M0 0h1v1H0z" />
        ))}
      </g>
    </svg>
  );
}
