import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { watchInterval } from '#web/shared/link-settings/watch-interval.ts';
import { Button, buttonClass, iconButtonClass } from '#web/ui/button.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Form } from '#web/ui/form.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { Link } from '#web/ui/link.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { LINKS_KEY } from './queries.ts';
import { activityQuery } from './use-activity.ts';

/** How often an older link without clicks is asked for, in ms. */
const IDLE_MS = 10_000;

/**
 * The three steps of a new member: a link, its first click, its QR code. `link` is the newest one,
 * null if there is none.
 */
export function FirstStepsPanel({
  link,
  hasClicks: hasListedClicks,
  hasQr,
  onCreated,
  onQr,
}: {
  link: ListedLink | null;
  hasClicks: boolean;
  hasQr: boolean;
  /** Called with the new usage of the quota. */
  onCreated: (usage: ShortenResponse['usage']) => void;
  onQr: (link: ListedLink) => void;
}) {
  const hasClicks = useFirstClick(hasListedClicks ? null : link) || hasListedClicks;
  useEffect(() => changeFirstSteps({ isOpen: true }), []);
  return (
    <section aria-labelledby="first-steps" className="relative px-4 py-4 text-start sm:px-5">
      <h2 id="first-steps" className="text-14 font-medium">
        First steps
      </h2>
      <button
        type="button"
        aria-label="Hide the first steps"
        data-tooltip="Hide"
        className={`${iconButtonClass} absolute! inset-e-2 top-2`}
        onClick={() => changeFirstSteps({ isDismissed: true })}
      >
        <X className="size-4" />
      </button>
      <ol className={`mt-3 grid gap-4 ${link === null ? 'lg:grid-cols-3' : 'md:grid-cols-3'}`}>
        <Step number={1} isDone={link !== null} title="Paste a link">
          {link === null ? <FirstLinkForm onCreated={onCreated} /> : 'Your first link is ready.'}
        </Step>
        <Step number={2} isDone={hasClicks} title="Open it and watch the click arrive">
          {hasClicks ? (
            'Your first click has arrived.'
          ) : link === null ? (
            'It shows here within seconds.'
          ) : (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <a
                href={link.short_url}
                target="_blank"
                rel="noopener"
                className={buttonClass({ size: 'sm', variant: 'primary' })}
              >
                Open the link
              </a>
              <output className="inline-flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className="size-2 animate-pulse-soft rounded-full bg-accent"
                />
                Waiting for the click…
              </output>
            </span>
          )}
        </Step>
        <Step number={3} isDone={hasQr} title="Print its QR code">
          {link === null || hasQr ? (
            'It leads to the same destination, and its scans are counted apart.'
          ) : (
            <Button size="sm" onClick={() => onQr(link)}>
              Show the QR code
            </Button>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Step({
  number,
  isDone,
  title,
  children,
}: {
  number: number;
  isDone: boolean;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex min-w-0 gap-3">
      <span
        aria-hidden="true"
        className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-12 font-medium ${isDone ? 'border-good bg-good-soft text-good' : 'border-line-strong text-ink-2'}`}
      >
        {isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-14 leading-6 font-medium">
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </p>
        <div className="mt-1 text-13 text-ink-3">{children}</div>
      </div>
    </li>
  );
}

/** Asks for the clicks of a link until it has one, loads the list again, and returns true. */
function useFirstClick(link: ListedLink | null): boolean {
  const queries = useQueryClient();
  const { data } = useQuery({
    ...activityQuery(link === null ? [] : [link.id]),
    enabled: link !== null,
    staleTime: 0,
    refetchInterval: () =>
      link === null
        ? false
        : watchInterval({ clicks: 0, created_at: link.created_at }, Date.now(), IDLE_MS),
  });
  const clicks = data?.[0]?.clicks ?? 0;
  useEffect(() => {
    if (clicks > 0) void reloadQueries(queries, [LINKS_KEY]);
  }, [clicks, queries]);
  return clicks > 0;
}

function FirstLinkForm({ onCreated }: { onCreated: (usage: ShortenResponse['usage']) => void }) {
  const [longUrl, setLongUrl] = useState('');
  const create = useSend(
    (target: string) =>
      api<ShortenResponse>('/api/shorten', { method: 'POST', body: { longUrl: target } }),
    [[LINKS_KEY]],
    ({ usage }) => onCreated(usage),
    { waits: true },
  );
  return (
    <Form error={create.error} onSubmit={() => create.mutate(longUrl.trim())}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Destination"
            hideLabel
            placeholder="https://…"
            error={create.error?.message}
            value={longUrl}
            {...VERBATIM}
            inputMode="url"
            dir="ltr"
            className="rtl:text-end"
            onText={setLongUrl}
          />
        </div>
        <Button type="submit" variant="primary" pending={create.isPending}>
          Shorten
        </Button>
      </div>
      <p className="mt-2">
        or{' '}
        <Link to="/links/import" className={textLinkClass}>
          import links
        </Link>{' '}
        from another service
      </p>
    </Form>
  );
}
