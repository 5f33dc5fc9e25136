/** Spellings that are not American, and words for which the product has another one. */
export const WRONG_WORDS: readonly [pattern: RegExp, instead: string][] = [
  [/\b\w*(?:colour|favour|honour|behaviour|neighbour)\w*/i, '-or'],
  [
    /\b(?:recogn|organ|custom|minim|optim|summar|author|real|apolog|priorit)is(?:e|es|ed|ing|ation)\b/i,
    '-ize',
  ],
  [/\banalys(?:e|ed|ing)\b/i, 'analyze'],
  [/\b(?:cancel|label|travel|model|signal)l(?:ed|ing)\b/i, 'one l'],
  [
    /\b(?:licence|centre|catalogue|grey|cheque|defence|programme|whilst|learnt|spelt)s?\b/i,
    'American',
  ],
  [/\be-mails?\b/i, 'email'],
  [/\btargets?\b/i, 'destination'],
  [/\blong (?:link|URL)s?\b/i, 'destination'],
  [/\bfull address(?:es)?\b/i, 'destination'],
  [/\bshort link\b/i, 'link, or short URL'],
];

/** Texts of the product specification, which stay as they are. */
export const FIXED_TEXTS: readonly string[] = [
  'Sign In',
  'Sign Up',
  'My URLs',
  'Manage Blogs',
  'Shorten URL',
  'Download QR',
  'Total Links',
  'Total Clicks',
  'Active Links',
  'Avg. Clicks',
  'No URLs yet',
  'Unique Visitors',
  'Active Days',
  'Clicks by Date',
  'Clicks by Country',
  'Clicks by Device',
  'Recent Clicks',
  'Analytics Not Available',
  'Total Posts',
  'Last Post',
  'Total Users',
  'Premium Users',
  'Free Users',
  'Total URLs',
  'Users & Subscriptions',
  'Reset Usage',
  'Choose Your Plan',
];

/** Names of companies, formats and pages, which keep their capital letters inside a text. */
export const NAMES: readonly string[] = [
  'Hop',
  'Free',
  'Premium',
  'Analytics',
  'Settings',
  'Pricing',
  'Privacy',
  'Terms',
  'Admin',
  'Home',
  'Unknown',
  'Monday',
  'Windows',
  'Mac',
  'Idempotency',
];
