/** The parts of the public status page, in their order. */
export const STATUS_PARTS = ['redirects', 'site', 'changes', 'clicks', 'mail'] as const;
export type StatusPart = (typeof STATUS_PARTS)[number];

/** `limited`: slow, late or only partly available. */
export type StatusState = 'works' | 'limited' | 'down' | 'unknown';

const NOT_KNOWN = 'This is not known at the moment.';
const MAIL_LATE = 'Emails may not arrive. That includes links to confirm an account.';

/** The public status page. */
export const STATUS_TEXTS = {
  title: 'Status',
  headings: {
    works: 'Everything works',
    limited: 'Some parts have problems',
    down: 'Some parts are not available',
    unknown: 'Not everything is known',
  } satisfies Record<StatusState, string>,
  states: {
    works: 'Working',
    limited: 'Problems',
    down: 'Not available',
    unknown: 'Unknown',
  } satisfies Record<StatusState, string>,
  parts: {
    redirects: {
      title: 'Short links',
      works: 'Short links redirect.',
      limited: 'Most short links redirect. Some may be slow or fail.',
      down: 'Short links do not redirect. Their settings are safe.',
      unknown: NOT_KNOWN,
    },
    site: {
      title: 'Website and API',
      works: 'You can sign in, create links and read reports.',
      limited: 'Some requests fail. Try again in a few minutes.',
      down: 'You can’t sign in or create links at the moment.',
      unknown: NOT_KNOWN,
    },
    changes: {
      title: 'Changes of links',
      works: 'A changed link takes effect within a minute.',
      limited: 'A changed link may take longer than usual to take effect.',
      down: 'Changed links do not take effect.',
      unknown: NOT_KNOWN,
    },
    clicks: {
      title: 'Click counts',
      works: 'Clicks appear within seconds.',
      limited: 'Clicks may appear late.',
      down: 'Clicks do not appear.',
      unknown: NOT_KNOWN,
    },
    mail: {
      title: 'Emails',
      works: 'Emails are sent.',
      limited: MAIL_LATE,
      down: MAIL_LATE,
      unknown: NOT_KNOWN,
    },
  } satisfies Record<StatusPart, Record<StatusState | 'title', string>>,
  checkedAt: (at: number) =>
    `Checked at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC. Reload the page for the present state.`,
} as const;
