import { readFileSync } from 'node:fs';
import { linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkVariant } from '#contract/links/link-variants.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { DAY_MS } from '#contract/time.ts';
import { bundleMinified } from '#scripts/build/bundle.ts';
import { dailyKeyName } from '#worker/redirect/daily-key.ts';
import { encodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { toShares } from '#worker/redirect/shares.ts';
import { HOST } from './load.ts';
import { scriptOf, type Target } from './workerd.ts';

type Link = { code: string; target: string };
type Settings = {
  rules?: readonly LinkRule[];
  variants?: readonly LinkVariant[];
  /** The links are on a domain of the operator, to which the host of the load leads. */
  isOnDomain?: boolean;
};
export type Memory = 'on' | 'off';

export const linksFor = (count: number): Link[] =>
  Array.from({ length: count }, (_, i) => ({
    code: `b${((i * 2_654_435_761) % 78_364_164_096).toString(36).padStart(6, '0').slice(-6)}`,
    target: `https://example.com/landing/${i}?utm_source=bench`,
  }));

export const bareWorker = (links: readonly Link[], memory: Memory, windowMs: number): Target => ({
  script: scriptOf('bare-worker.ts'),
  vars: { MEMORY: memory, WINDOW_MS: String(windowMs) },
  kv: Object.fromEntries(links.map(({ code, target }) => [code, target])),
});

/** Three rules of different kinds, of which the last one matches the phones of the load. */
export const THREE_RULES: readonly LinkRule[] = [
  {
    if: { language: ['pt'], time: [{ zone: 'Europe/Berlin', from: '00:00', to: '00:00' }] },
    to: 'https://example.com/pt',
  },
  { if: { country: ['DE', 'AT', 'CH'], query: ['ref=mail'] }, to: 'https://example.com/de' },
  { if: { device: ['ios', 'android'] }, to: 'https://example.com/app' },
];

/** Three destinations besides the link's own. */
export const THREE_VARIANTS: readonly LinkVariant[] = ['b', 'c', 'd'].map((name) => ({
  url: `https://example.com/${name}`,
  weight: 20,
}));

const DOMAIN: DomainId = 'd.0123456789';

/** Hop's Worker as it is deployed, with windows of `windowMs`. Every link has the settings. */
export async function hopWorker(
  links: readonly Link[],
  memory: Memory,
  windowMs: number,
  { rules = [], variants = [], isOnDomain = false }: Settings = {},
): Promise<Target> {
  const script = readFileSync(await bundleMinified(), 'utf8');
  const kv = Object.fromEntries(
    links.map(({ code, target }, i) => {
      const record = { v: 1, i: i + 1, s: 'a', u: target, e: 0 } as const;
      const gate = rules.length === 0 ? {} : { g: { t: [...rules] } };
      const w = variants.length === 0 ? undefined : toShares(target, JSON.stringify(variants));
      const key = isOnDomain ? linkKey(DOMAIN, code) : code;
      return [key, encodeEdgeRecord({ ...record, ...(w === undefined ? {} : { w }), ...gate })];
    }),
  );
  const today = Math.floor(Date.now() / DAY_MS);
  for (const day of [today, today + 1])
    kv[dailyKeyName(day)] = Buffer.alloc(32, 7).toString('base64');
  if (isOnDomain) kv[hostKey('', HOST)] = JSON.stringify({ v: 1, d: DOMAIN, s: 'a', o: 1 });
  const vars = {
    APP_ORIGIN: isOnDomain ? 'http://hop.example' : `http://${HOST}`,
    SHORT_HOSTS: isOnDomain ? HOST : '',
    SHORT_ORIGIN: '',
    EXTRA_HOSTS: '',
    LINKS_EPOCH: '',
    CLICK_WINDOW_MS: String(windowMs),
    LINK_MEMORY_MS: memory === 'on' ? '5000' : '0',
  };
  return { script, vars, kv };
}
