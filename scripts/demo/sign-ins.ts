export const DEMO_SIGN_INS = [
  { owner: 'admin', email: 'admin@example.com', password: 'demo-admin', what: 'admin, Premium' },
  {
    owner: 'user',
    email: 'user@example.com',
    password: 'demo-user',
    what: 'member, Free, 8 of 25 links used',
  },
] as const;
