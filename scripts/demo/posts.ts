import { KEEP_RECENT_CLICKS_DAYS, KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { SITE_NAME } from '#contract/site.ts';

export type DemoPost = {
  daysAgo: number;
  title: string;
  slug: string;
  published: boolean;
  content: string;
};

export const DEMO_POSTS: readonly DemoPost[] = [
  {
    daysAgo: 61,
    title: 'Why a click counts exactly once',
    slug: 'why-a-click-counts-exactly-once',
    published: true,
    content: `Counting sounds easy until the thing that counts can fail. A click on a short link passes through a redirect, a queue and a database, and each of the three may repeat itself. Queues promise to deliver a message at least once. "At least" is the honest part of that promise: now and then the same message comes twice, and a counter that simply adds one each time will drift upwards, slowly, where nobody looks.

${SITE_NAME} takes the other road. The redirect does not send "plus one". It sends a small packet of clicks with an identity of its own, made at the moment the first of them happened. The database keeps the identities it has seen. When a packet arrives, one atomic batch does two things: it writes down the identity, and it adds the packet's clicks only if that identity was new. Should the same packet come again, the first half finds nothing to write, and so the second half finds nothing to add.

The same trick covers the opposite failure. If the queue does not answer, the redirect writes the packet straight into the database. Perhaps the queue had taken it after all and delivers it a minute later. It does not matter: same packet, same identity, counted once.

None of this makes anybody wait. The redirect answers first and tells its story afterwards. In our measurements the person who clicked has already arrived before the packet has left.

Once a day a small job adds up every roll-up we keep and compares the sums with the totals. The result stands on the admin page, with the time of the check. It has been dull reading so far, and we mean to keep it dull.`,
  },
  {
    daysAgo: 34,
    title: 'What a click records, and what it never does',
    slug: 'what-a-click-records',
    published: true,
    content: `Analytics has a bad name, and it earned it. So here is, in plain words, everything that happens to the data of a person who follows one of our links.

What we keep about a click: the hour, the country, region and city the network reports, the kind of device, the browser and the operating system as families ("Firefox", not "Firefox 144.0.2 on a machine with these fonts"), and the host of the page the click came from. These are kept as counts. Ten visits from Chennai are the number 10 beside the word Chennai, not ten rows with ten stories.

What we keep about the person: nothing that lasts. To tell two visitors from one visitor who came twice, we compute a key from the address, the browser's name and the link, mixed with a secret that changes every day. The secret is destroyed after ${KEEP_VISITOR_KEYS_HOURS} hours at most. After that nobody, including us, can say which address stood behind a key. The address itself is never written down, in no table and in no log.

One consequence is worth knowing when you read your numbers: somebody who follows your link on Monday and on Tuesday counts as two unique visitors, because on Tuesday we no longer know about Monday. We think that is the right way to be wrong.

The list of recent clicks on an analytics page reaches back ${KEEP_RECENT_CLICKS_DAYS} days. Beyond that only the counts remain.

And if a browser sends Global Privacy Control or Do Not Track, the click is counted without any visitor key at all. It is a click; who it was is none of our business.

Bots and previews are counted too, but apart. When you paste a link into a chat, the chat's own robot fetches it to draw a preview, sometimes several times. Those visits show as a separate figure beside the total, so that your total means people.`,
  },
  {
    daysAgo: 9,
    title: 'Links you can take back',
    slug: 'links-you-can-take-back',
    published: true,
    content: `A short link is a promise printed on a poster. Posters hang for years, and things change: the shop moves, the form closes, the campaign ends, or the address turns out to have had a typing error all along.

So every link of yours can be edited after it has been handed out. Change where it leads and the poster stays right. Give it an end date and it closes by itself. Switch it off and on again. Nothing of this costs a link from your monthly quota, and the clicks counted so far stay where they are.

Behind this stands a question that every fast redirect service has to answer: how fast is "now"? Links are answered from copies that sit close to the reader, in hundreds of cities, because that is what makes them quick. A change has to reach all of those copies. We could have hidden this behind the word "instantly". Instead, this is what we promise, word for word as our terms have it: "${DISABLE_PROMISE}" The number is how long a copy may live before it is looked up again. The rest depends on how fast the network carries the change, and nobody promises us a limit for that.

Deleting works differently from switching off, on purpose. A deleted link answers "gone", and its ending is never given to anybody else. If an ending could be re-used, every old poster would become a chance for a stranger to speak in your name.

One more thing you can always do, with any of our links and with or without an account: put a plus sign behind it. You see where it leads before you go there, together with the date it was made. Trust is nice. Looking is better.`,
  },
  {
    daysAgo: 2,
    title: 'Custom domains: what we are planning',
    slug: 'custom-domains-what-we-are-planning',
    published: false,
    content: `Draft. Not for the public page yet.

The short host has been a part of every link's identity in our database from the first day, so that two customers can each have a link called "menu" on a domain of their own. What is missing is everything around it: proving that a domain is yours, getting a certificate for it without asking you to understand certificates, and a setting for which of your domains a new link goes to.

Open questions before we can promise a date:

1. What happens to a link when its domain expires and somebody else buys it?
2. Does a domain belong to a person or to a team?
3. Which of the two plans is it a part of?`,
  },
];
