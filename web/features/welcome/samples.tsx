import { shortHost } from '#web/shared/config.ts';

export function AliasSample() {
  return (
    <span
      dir="ltr"
      className="flex max-w-full items-stretch overflow-hidden rounded-md border border-line-strong bg-surface font-mono text-12 sm:text-14"
    >
      <span className="border-e border-line bg-sunken px-1.5 py-2 [overflow-wrap:anywhere] text-ink-3 sm:px-2.5">
        {shortHost()}/
      </span>
      <span className="px-1.5 py-2 whitespace-nowrap sm:px-2.5">
        spring-sale
        <span className="ms-px inline-block h-4 w-px translate-y-0.5 bg-accent" />
      </span>
    </span>
  );
}

export function PreviewSample() {
  return (
    <span
      dir="ltr"
      className="flex max-w-full flex-wrap justify-center font-mono text-13 sm:text-16"
    >
      <span className="[overflow-wrap:anywhere] text-ink-3">{shortHost()}</span>
      <span className="shrink-0">
        <span className="text-ink-3">/</span>spring-sale
        <span className="ms-0.5 rounded-sm bg-accent-soft px-1 font-medium text-accent">+</span>
      </span>
    </span>
  );
}
