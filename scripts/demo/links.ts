/**
 * A demo link: its owner, its age in days, its daily clicks at its peak, and their course. A
 * campaign fades, a steady link stays, a launch peaks once, a weekly link peaks on one weekday.
 */
export type DemoLink = {
  owner: 'admin' | 'user';
  target: string;
  alias?: string;
  daysAgo: number;
  perDay: number;
  course: 'campaign' | 'steady' | 'launch' | 'weekly';
  audience: 'world' | 'india' | 'europe' | 'developers';
};

const admin = (
  daysAgo: number,
  perDay: number,
  course: DemoLink['course'],
  audience: DemoLink['audience'],
  target: string,
  alias?: string,
): DemoLink => ({
  owner: 'admin',
  daysAgo,
  perDay,
  course,
  audience,
  target,
  ...(alias === undefined ? {} : { alias }),
});

const user = (...args: Parameters<typeof admin>): DemoLink => ({
  ...admin(...args),
  owner: 'user',
});

/** The links, oldest first. The member's last eight belong to the current cycle (8 of 25 used). */
export const DEMO_LINKS: readonly DemoLink[] = [
  admin(
    89,
    9,
    'steady',
    'developers',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/302',
    'http-302',
  ),
  admin(88, 5, 'steady', 'world', 'https://en.wikipedia.org/wiki/URL_shortening', 'what-is-this'),
  user(87, 4, 'steady', 'india', 'https://www.openstreetmap.org/node/3815077900', 'find-us'),
  admin(84, 40, 'launch', 'developers', 'https://github.com/honojs/hono/releases', 'hono'),
  user(
    81,
    12,
    'campaign',
    'india',
    'https://shop.example.com/monsoon-sale?utm_source=poster&utm_medium=print',
    'monsoon',
  ),
  admin(79, 6, 'weekly', 'world', 'https://newsletter.example.com/archive', 'weekly'),
  admin(76, 2, 'steady', 'europe', 'https://www.rfc-editor.org/rfc/rfc9110.html'),
  user(72, 3, 'steady', 'india', 'https://forms.example.com/feedback/2026'),
  admin(
    70,
    25,
    'launch',
    'world',
    'https://blog.example.com/2026/09/exactly-once-counting',
    'exactly-once',
  ),
  user(66, 5, 'weekly', 'india', 'https://meet.example.com/rooms/bengaluru-book-club', 'book-club'),
  admin(63, 3, 'steady', 'developers', 'https://www.sqlite.org/lang_upsert.html', 'upsert'),
  admin(
    60,
    18,
    'campaign',
    'europe',
    'https://events.example.com/berlin-2026/tickets?ref=banner',
    'berlin',
  ),
  user(57, 2, 'steady', 'world', 'https://en.wikipedia.org/wiki/Hop_(plant)'),
  admin(
    54,
    4,
    'steady',
    'developers',
    'https://react.dev/learn/you-might-not-need-an-effect',
    'no-effect',
  ),
  admin(50, 14, 'weekly', 'india', 'https://podcast.example.com/episodes/latest', 'podcast'),
  user(46, 20, 'launch', 'india', 'https://www.example.org/open-studio-day', 'open-studio'),
  admin(43, 3, 'steady', 'world', 'https://en.wikipedia.org/wiki/QR_code'),
  admin(
    40,
    8,
    'campaign',
    'world',
    'https://shop.example.com/autumn?utm_source=newsletter&utm_campaign=autumn',
    'autumn',
  ),
  user(37, 2, 'steady', 'europe', 'https://docs.example.com/house-rules.pdf', 'house-rules'),
  admin(
    33,
    5,
    'steady',
    'developers',
    'https://developers.cloudflare.com/d1/best-practices/use-indexes/',
    'd1-indexes',
  ),
  user(30, 6, 'weekly', 'india', 'https://calendar.example.com/public/workshops', 'workshops'),
  admin(27, 30, 'launch', 'developers', 'https://talks.example.com/edge-2026/slides', 'edge-talk'),
  admin(24, 2, 'steady', 'europe', 'https://www.w3.org/WAI/WCAG22/quickref/'),
  user(21, 3, 'steady', 'india', 'https://menu.example.com/cafe-lakeside', 'menu'),
  admin(
    18,
    11,
    'campaign',
    'india',
    'https://tickets.example.com/diwali-night?utm_source=whatsapp',
    'diwali',
  ),
  user(15, 2, 'steady', 'world', 'https://photos.example.com/albums/2026-11'),
  admin(14, 4, 'steady', 'world', 'https://careers.example.com/open-positions', 'open-jobs'),
  user(12, 5, 'campaign', 'india', 'https://forms.example.com/volunteers', 'volunteer'),
  admin(
    10,
    3,
    'steady',
    'developers',
    'https://www.typescriptlang.org/tsconfig/#erasableSyntaxOnly',
  ),
  user(8, 9, 'launch', 'india', 'https://www.example.org/gallery/winter-exhibition', 'winter'),
  user(7, 4, 'steady', 'india', 'https://maps.example.com/parking-at-the-studio', 'parking'),
  admin(
    7,
    15,
    'launch',
    'world',
    'https://blog.example.com/2026/11/what-a-click-records',
    'click-facts',
  ),
  user(6, 2, 'steady', 'world', 'https://en.wikipedia.org/wiki/Linocut'),
  user(5, 6, 'campaign', 'india', 'https://shop.example.com/prints?utm_source=instagram', 'prints'),
  admin(4, 8, 'campaign', 'europe', 'https://events.example.com/lisbon-2027/early-bird', 'lisbon'),
  user(4, 1, 'steady', 'india', 'https://forms.example.com/newsletter-signup'),
  user(3, 5, 'weekly', 'india', 'https://meet.example.com/rooms/print-class', 'print-class'),
  admin(2, 6, 'steady', 'developers', 'https://hono.dev/docs/guides/best-practices', 'hono-tips'),
  user(2, 3, 'steady', 'india', 'https://reviews.example.com/studio?stars=5'),
  user(
    1,
    0,
    'steady',
    'india',
    'https://drive.example.com/shared/price-list-2027.pdf',
    'price-list',
  ),
];
