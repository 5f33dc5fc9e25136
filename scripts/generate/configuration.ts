import { DOMAIN_VARIABLES } from './domain-variables.ts';
import { SIGN_IN_VARIABLES } from './sign-in-variables.ts';
import type { Variable } from './variable.ts';

/** Every variable of the Worker, in the order of docs/configuration.md. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'APP_ORIGIN',
    value: '',
    meaning:
      'Origin of the deployment, for example `https://hop.example`, without a path. Required; on a loopback host the request’s own origin is used. With https, requests over http are redirected or rejected.',
  },
  {
    name: 'SHORT_ORIGIN',
    value: '',
    meaning:
      'Origin of the short links, if it differs from `APP_ORIGIN`. Requests to any other host get 421.',
  },
  {
    name: 'EXTRA_HOSTS',
    value: '',
    meaning:
      'Further hosts that are served, separated by commas or spaces: a host that you have [moved from](operations.md#move-domains), or in development the address of your machine, to open the product on a phone with `npm start -- --ip 0.0.0.0 --var EXTRA_HOSTS:192.168.1.20`. No link may lead to them.',
  },
  {
    name: 'SHORT_HOSTS',
    value: '',
    meaning:
      'Further hosts for short links, separated by commas or spaces, on which every member can make links: `go.example, s.example`. `npm run deploy` attaches them to the Worker. On a host that is removed, links answer 421 until it is named again ([domains](product.md#domains)).',
  },
  {
    name: 'AUTH_SECRET',
    secret: true,
    meaning:
      'Required, with a hosted sign-in too. At least 16 characters; make one with `openssl rand -base64 32`. Without it every route under `/api` except `/api/health` answers 500, while redirects continue. Changing it signs everyone out of the embedded sign-in and forgets which addresses of deleted accounts were suspended or demoted. It also changes the secret of every webhook, which its owner then has to rotate to see the new one. Copies made before have [another signature](operations.md#signatures).',
  },
  {
    name: 'ADMIN_EMAILS',
    value: '',
    meaning:
      'Addresses, separated by commas, that become administrators once their mailbox is proven, unless an administrator has demoted them. Removing an address demotes nobody. An account confirmed by a release before 0.1.0 counts as proven after its next password reset.',
  },
  {
    name: 'ADMIN_CLAIM',
    secret: true,
    meaning:
      'A value of 20 to 100 letters and digits that only you have. While there is no administrator, the account that opens `/admin/claim#` followed by it becomes one. The [Deploy to Cloudflare button](operations.md#the-deploy-to-cloudflare-button) asks for it; `npm run deploy` on your machine prints a one-time link instead.',
  },
  {
    name: 'BILLING',
    value: 'none',
    meaning:
      '`none`: upgrades answer 402. `demo`: upgrades take effect at once, and the pages say that it is a demo.',
  },
  {
    name: 'PRICES',
    value: '',
    meaning:
      'What Premium costs: currency and price per month, for example `INR 500, USD 6, EUR 5.50`, or with a price per year for each, `INR 500/5000, USD 6/60`. Currencies are `INR`, `USD` and `EUR`; one without a price is not offered, and the first is shown first. Empty, or wrong: ₹500 a month. `npm run deploy` stops at a wrong value.',
  },
  {
    name: 'MAIL_FROM',
    value: '',
    meaning:
      'Sender of mails: an address of a domain that is set up for Email Sending, or a name with one, such as `Acme Links <hop@example.com>`.',
  },
  {
    name: 'DEV_MAILBOX',
    value: 'off',
    meaning:
      '`on` keeps mails at `/dev/mailbox` instead of sending them. Works on a loopback host only.',
  },
  ...SIGN_IN_VARIABLES,
  {
    name: 'ADS_CLIENT',
    value: '',
    meaning:
      'Client id at Google AdSense (`ca-pub-…`), from which `/ads.txt` is written. The network’s script runs only in sandboxed documents below `/ads/frame/`; ask the network whether it allows that for your account. Empty: the slots promote Premium.',
  },
  {
    name: 'ADS_SLOT_HOME',
    value: '',
    meaning: 'Id of the ad unit on Home, digits only. Empty: the slot promotes Premium.',
  },
  { name: 'ADS_SLOT_RESULT', value: '', meaning: 'The same for the slot below a result on Home.' },
  { name: 'ADS_SLOT_ANALYTICS', value: '', meaning: 'The same for the slot on Analytics.' },
  {
    name: 'BLOCKED_SHORTENERS',
    value: '',
    meaning:
      'More hosts that no link may lead to, separated by commas or spaces; `-host` removes one from the built-in list.',
  },
  {
    name: 'ALLOWED_WEBHOOK_HOSTS',
    value: '',
    meaning:
      'Hosts to which members may send webhooks although they belong to the domain of `APP_ORIGIN`, `SHORT_ORIGIN`, `EXTRA_HOSTS` or `SHORT_HOSTS`, separated by commas or spaces. Each is exempt alone, without its subdomains.',
  },
  {
    name: 'CLICK_WINDOW_MS',
    value: '1000',
    meaning:
      'Milliseconds for which an isolate collects clicks before it sends them. Longer windows cost less and lose more clicks when an isolate dies; `bench/README.md` has figures.',
  },
  {
    name: 'CLICKS_SHARDS',
    value: 'DB',
    meaning:
      'The D1 bindings, separated by commas, whose databases take the clicks of new links: `DB`, `CLICKS_1`, `CLICKS_2` … Links keep the database that they were created with, so every bound database continues to count; see [Add a shard](operations.md#add-a-shard).',
  },
  {
    name: 'CLICK_QUEUES',
    value: '1',
    meaning:
      'How many queues take clicks, 1 to 20. A queue takes 5,000 messages a second. `npm run deploy` creates and binds them; see [Add a click queue](operations.md#add-a-click-queue).',
  },
  {
    name: 'LOG_SAMPLE_RATE',
    value: '0.01',
    meaning:
      'Share of requests that are logged, from 0 to 1: method, route, status and duration. Errors and lost clicks are always logged.',
  },
  {
    name: 'LINK_MEMORY_MS',
    value: '5000',
    meaning:
      'Milliseconds for which an isolate remembers a link. Values above 5000 act as 5000; 0 turns the memory off. A host besides the deployment’s own is remembered for 5 seconds in any case.',
  },
  {
    name: 'WORKERS_PLAN',
    value: 'paid',
    meaning:
      'The platform’s plan of the account: `paid` or `free`. With `free`, cron does a part of its jobs each minute, within 45 D1 queries, and copies in small parts. Set by `npm run deploy -- --plan free`.',
  },
  {
    name: 'LINKS_EPOCH',
    value: '',
    meaning:
      'Prefix of the KV keys of links: 1 to 16 lower-case letters and digits. A new value makes KV forget every link; see [After a restore](#after-a-restore).',
  },
  {
    name: 'REPUTATION_DOH_URL',
    value: '',
    meaning:
      'A filtering DNS-over-HTTPS resolver that is asked about targets and hosts of webhooks, or a DNS blocklist if the URL contains `{host}`. Empty: nobody is asked.',
  },
  {
    name: 'TURNSTILE_SITE_KEY',
    value: '',
    meaning:
      'With `TURNSTILE_SECRET_KEY` set too: a captcha on the report form and, with the embedded sign-in, on sign-up, resending the mail and resetting a password.',
  },
  {
    name: 'TURNSTILE_SECRET_KEY',
    secret: true,
    meaning: 'The secret that belongs to `TURNSTILE_SITE_KEY`.',
  },
  {
    name: 'ALERT_WEBHOOK_URL',
    secret: true,
    meaning:
      'Gets a JSON POST when a signal of Admin → System turns red and when it is over. Its `text` is what Slack and compatible receivers show. Administrators get a mail as well.',
  },
  {
    name: 'BACKUP_S3_URL',
    value: '',
    meaning:
      'A bucket outside the account, at any provider that speaks the protocol of Amazon S3, which gets each nightly copy: `https://s3.eu-central-1.amazonaws.com/my-copies`. It also needs the two secrets below; see [A copy outside the account](operations.md#a-copy-outside-the-account).',
  },
  {
    name: 'BACKUP_S3_REGION',
    value: 'auto',
    meaning: 'The region of that bucket, as its provider calls it, for example `eu-central-1`.',
  },
  { name: 'BACKUP_S3_KEY_ID', secret: true, meaning: 'Access key id for that bucket.' },
  { name: 'BACKUP_S3_KEY_SECRET', secret: true, meaning: 'The secret of that access key.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    value: '',
    meaning:
      'A receiver of [metrics](operations.md#metrics) in OTLP over HTTP, for example `https://otlp.example`: each isolate posts JSON to `/v1/metrics` below it, every 15 seconds. Empty: nothing is sent.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    secret: true,
    meaning:
      'Headers for that receiver, in the form that receivers name: `Authorization=Basic%20…,other=value`.',
  },
  {
    name: 'METRICS_DATASET',
    value: '',
    meaning:
      'A dataset of Analytics Engine that gets the same [metrics](operations.md#metrics). `npm run deploy` binds it as `METRICS`. Analytics Engine must be enabled in the account.',
  },
  {
    name: 'STATUS_PAGE',
    value: 'off',
    meaning: '`on` serves a public [status page](operations.md#status-page) at `/status`.',
  },
  {
    name: 'DATABASE_LIMIT_MB',
    value: '10000',
    meaning:
      'What D1 may hold on your plan, in MB: 10000 on the paid plan, 500 on the free one. Only Admin → System and alerts use it.',
  },
  {
    name: 'LINK_CHECKS_PER_DAY',
    value: '1000',
    meaning:
      'The number of checks of watched destinations in a day (UTC). Further checks wait for the next day; a backlog of two hours turns the signal *Backlog* red.',
  },
  ...DOMAIN_VARIABLES,
  {
    name: 'ABUSE_EMAIL',
    value: '',
    meaning:
      'Contact in `/.well-known/security.txt`, besides the report form. Also the support address, if `SUPPORT_EMAIL` is empty.',
  },
  {
    name: 'SUPPORT_EMAIL',
    value: '',
    meaning:
      'Support address in the footer, on Pricing, in the upgrade dialog and on error pages. Without it and `ABUSE_EMAIL`, nothing mentions support, and Premium does not include priority support.',
  },
  {
    name: 'OPERATOR_NAME',
    value: '',
    meaning:
      'The person or company that runs the deployment, as Privacy and Terms name it. Many laws require it.',
  },
  {
    name: 'OPERATOR_ADDRESS',
    value: '',
    meaning: 'Postal address of the operator on the same pages, in one line.',
  },
  {
    name: 'PRIVACY_EMAIL',
    value: '',
    meaning:
      'Contact for questions about personal data on Privacy. Without it, `SUPPORT_EMAIL` or `ABUSE_EMAIL`.',
  },
];
