import type { ReactNode } from 'react';
import type { GlyphName } from './sources.ts';

const shape = (d: string): ReactNode => <path d={d} fill="currentColor" stroke="none" />;
/** Draws the outline of a rounded square with something in it. */
const boxed = (inside: ReactNode): ReactNode => (
  <>
    <rect x="2" y="2" width="12" height="12" rx="3" />
    {inside}
  </>
);
const BUBBLE =
  'M8 2.5c3.3 0 6 2.2 6 5s-2.7 5-6 5c-.8 0-1.5-.1-2.2-.3L3 13.5l.6-2.6A4.6 4.6 0 0 1 2 7.5c0-2.8 2.7-5 6-5z';

/** In units of a square of 16, drawn in one color. */
const GLYPHS: Readonly<Record<GlyphName, ReactNode>> = {
  bluesky: shape(
    'M4.2 3C5.7 4.1 7.3 6.4 8 7.6 8.7 6.4 10.3 4.1 11.8 3c1-.8 2.7-1.4 2.7.5 0 .4-.2 3.2-.4 3.7-.5 1.6-2.1 2-3.6 1.8 2.6.4 3.2 1.9 1.8 3.4-2.7 2.8-3.8-.7-4.1-1.6L8 10.2l-.2.6c-.3.9-1.4 4.4-4.1 1.6C2.3 10.9 2.9 9.4 5.5 9 4 9.2 2.4 8.8 1.9 7.2c-.2-.5-.4-3.3-.4-3.7 0-1.9 1.7-1.3 2.7-.5z',
  ),
  chat: (
    <>
      <path d={BUBBLE} />
      <path d="M5.5 7.5h.01M8 7.5h.01M10.5 7.5h.01" strokeWidth="1.8" />
    </>
  ),
  discord: (
    <>
      <path d="M5.5 3.5C4.3 3.7 3.3 4.1 2.8 4.4 1.8 6.5 1.4 9 1.6 11.500c1.2.9 2.3 1.3 3.3 1.500l.8-1.500c1.5.5 3.1.5 4.6 0l.8 1.500c1-.2 2.1-.6 3.3-1.5.2-2.5-.2-5-1.2-7.1-.5-.3-1.5-.7-2.7-.9l-.5 1a8 8 0 0 0-4 0z" />
      <path d="M5.9 8.500h.01M10.1 8.500h.01" strokeWidth="2.2" />
    </>
  ),
  facebook: shape(
    'M9.3 14.500V8.700h2l.3-2.300H9.300V5c0-.7.2-1.1 1.2-1.100h1.200v-2c-.2 0-.9-.1-1.8-.1-1.8 0-3 1.1-3 3.100v1.500H4.900v2.300h2v5.800z',
  ),
  github: shape(
    'M8 1.500a6.5 6.5 0 0 0-2 12.700c.3 0 .4-.2.4-.3v-1.200c-1.8.4-2.2-.8-2.2-.8-.3-.7-.7-.9-.7-.9-.6-.4 0-.4 0-.4.7 0 1 .7 1 .7.6 1 1.5.7 1.9.5 0-.4.2-.7.4-.8-1.4-.2-2.9-.7-2.9-3.2 0-.7.2-1.3.6-1.7 0-.2-.3-.8.1-1.7 0 0 .5-.2 1.7.6a6 6 0 0 1 3.2 0c1.2-.8 1.7-.6 1.7-.6.4.9.1 1.5.1 1.7.4.4.6 1 .6 1.7 0 2.5-1.5 3-2.9 3.2.2.2.4.6.4 1.200v1.700c0 .1.1.3.4.3A6.5 6.5 0 0 0 8 1.500z',
  ),
  'hacker-news': boxed(<path d="M5.5 4.8 8 8.600l2.5-3.800M8 8.600v3" />),
  instagram: boxed(
    <>
      <circle cx="8" cy="8" r="2.6" />
      <path d="M11.2 4.800h.01" strokeWidth="1.8" />
    </>,
  ),
  linkedin: boxed(
    <path d="M5 7v4M5 5h.01M7.7 11V7m0 1.700C7.7 7.6 8.5 7 9.4 7s1.6.6 1.6 1.700V11" />,
  ),
  mail: (
    <>
      <rect x="1.5" y="3" width="13" height="10" rx="2" />
      <path d="m2 4.5 6 4.5 6-4.5" />
    </>
  ),
  mastodon: (
    <>
      <path d="M13.5 9.300c-.3 1.3-2.5 1.7-4.7 1.9-1 .1-2 0-3-.3v.5c.2 1.4 1.5 1.6 2.7 1.6.9 0 1.8-.2 1.8-.2l.1 1.200c-.9.4-2 .5-2.9.5-3 0-4.6-1.5-4.9-4.5-.2-1.7-.3-3.8-.2-4.8.2-2.2 2-3.7 5.6-3.700s5.5 1.5 5.7 3.500c.1 1 0 3.2-.2 4.300z" />
      <path d="M5.3 8.500V6c0-1.8 2.7-1.8 2.7.2V7m0-.8c0-2 2.7-2 2.7-.2v2.5" />
    </>
  ),
  medium: (
    <>
      <circle cx="4.8" cy="8" r="3.3" fill="currentColor" />
      <ellipse cx="10.6" cy="8" rx="1.4" ry="3.1" fill="currentColor" />
      <path d="M14 5v6" />
    </>
  ),
  news: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M4.5 6h3v3h-3zM9.5 6h2M9.5 8.500h2M4.5 11h7" />
    </>
  ),
  pinterest: (
    <>
      <circle cx="8" cy="8" r="6.3" />
      <path d="M6.6 13.5 8.2 6.500M5.6 8.800C4.7 7.2 5.8 4.8 8.2 4.800s3.3 2.1 2.5 3.900c-.7 1.7-2.7 1.9-3.3.7" />
    </>
  ),
  qr: (
    <path d="M2 2h4.500v4.500H2zM9.5 2H14v4.500H9.500zM2 9.500h4.500V14H2zM9.5 9.500h2v2h-2zM14 14v-2.500M11.5 14h.01M14 9.500h.01" />
  ),
  reddit: (
    <>
      <path d="M2 9.300c0-2.5 2.7-4.3 6-4.300s6 1.8 6 4.3-2.7 4.4-6 4.4-6-1.9-6-4.400zM8 5l.8-3 2.7.6" />
      <path d="M5.9 8.700h.01M10.1 8.700h.01" strokeWidth="2" />
      <path d="M6 11c1.2.7 2.8.7 4 0" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  slack: <path d="M6.2 2v12M9.8 2v12M2 6.200h12M2 9.800h12" strokeWidth="1.9" />,
  telegram: <path d="M14 2.8 1.8 7.600l3.7 1.500L12.5 4 7 9.900l4.8 3.300zM5.5 9.1 6 13l1.9-2.5" />,
  threads: (
    <path d="M12.4 5.600C11.9 3.4 10.4 2 8 2 4.9 2 3.3 4.3 3.3 8S4.9 14 8 14c2.6 0 4.4-1.5 4.4-3.5 0-2.3-2-3.3-4.2-3.3-1.7 0-2.8.8-2.8 2s1 1.8 2.1 1.800c3.6 0 2.9-5.7.4-5.7-.9 0-1.5.4-1.9 1" />
  ),
  tiktok: (
    <path d="M8.8 2v8.200a2.9 2.9 0 1 1-2.9-2.900M8.8 2c.2 2.2 1.7 3.7 4 3.9" strokeWidth="1.9" />
  ),
  whatsapp: (
    <>
      <path d="M2 14l.9-3.200A6.2 6.2 0 1 1 5.3 13.200z" />
      <path d="M5.7 5.300c-.6 2 3 5.6 5 5l.3-1.3-1.6-.8-.8.8c-.8-.4-1.4-1-1.7-1.700l.7-.8-.7-1.500z" />
    </>
  ),
  wikipedia: <path d="m1.8 4 3 8.500L8 6l3.2 6.500L14.2 4M.8 4h2.500M6 4h1.500L8 6M12.8 4h2.5" />,
  x: <path d="M2.5 2.500h2.600l8.4 11h-2.600zM13 2.5 9 7M7 9l-4.2 4.5" />,
  youtube: (
    <>
      <rect x="1.5" y="3.3" width="13" height="9.4" rx="2.8" />
      {shape('M6.7 5.900v4.200L10.3 8z')}
    </>
  ),
};

/** The glyph of a site, which is decorative because the site's name is beside it. */
export const Glyph = ({ name }: { name: GlyphName }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.3}
    strokeLinecap="round"
    strokeLinejoin="round"
    className="size-4 shrink-0 text-ink-2"
  >
    {GLYPHS[name]}
  </svg>
);
