import type { ClickDetails, ClickPreviewResponse } from '#contract/reports/click-preview.ts';
import { aggregateClicks } from '#worker/clicks/fold/aggregate-clicks.ts';
import type { StoredRecentClick } from '#worker/clicks/fold/recent-clicks.ts';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import { captureClick } from '#worker/redirect/click-event.ts';

const CLICK_KINDS = ['human', 'bot', 'prefetch'] as const;

/**
 * Returns what a click with the headers of `request` would store. It runs the functions that count
 * clicks and stores nothing.
 */
export function previewClick(request: Request, now: number): ClickPreviewResponse {
  const { event, address } = captureClick(request, 0, now);
  const links = aggregateClicks([{ v: 1, id: '', e: [event] }], createUserAgentParser());
  const [link] = links.values();
  const [day] = link?.days.values() ?? [];
  const figure = CLICK_KINDS.find((name) => day?.counts[name] === 1);
  if (link === undefined || figure === undefined) throw new Error('The click was not counted.');
  const [recent] = link.recent;
  return {
    at: new Date(event.t).toISOString(),
    figure,
    details: recent === undefined ? null : detailsOf(recent),
    hasVisitorId: figure === 'human' && address !== '',
  };
}

function detailsOf([, place, agent, source]: StoredRecentClick): ClickDetails {
  const [country = '', region = '', city = ''] = place.split('|');
  const [device = '', browser = '', os = ''] = agent.split('|');
  return { country, region, city, device, browser, os, source };
}
