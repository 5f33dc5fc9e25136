import type { Variable } from './variable.ts';

/** The variables of both kinds of sign-in, in the order of docs/configuration.md. */
export const SIGN_IN_VARIABLES: readonly Variable[] = [
  {
    name: 'SUPABASE_URL',
    value: '',
    meaning:
      'URL of a hosted Supabase project. With `SUPABASE_PUBLISHABLE_KEY` set too, that project signs people in and the embedded sign-in is off.',
  },
  {
    name: 'SUPABASE_PUBLISHABLE_KEY',
    value: '',
    meaning: 'The project’s publishable key. Browsers receive it.',
  },
  {
    name: 'SUPABASE_JWT_SECRET',
    secret: true,
    meaning:
      'Only for hosted projects that still sign tokens with HS256; then only HS256 is accepted. At least 32 bytes: with a shorter one, the API answers 500 to everyone who is signed in.',
  },
  {
    name: 'AUTH_AUTOCONFIRM',
    value: 'off',
    meaning:
      '`on` accepts sign-ups without a mail, 10 an hour and 30 a day per network. Such addresses count as unproven until their owner resets the password by mail.',
  },
  {
    name: 'AUTH_REFRESH_REUSE_SECONDS',
    value: '60',
    meaning:
      'Seconds after a refresh during which an older refresh token gets the current one, for several tabs that refresh at once and for a lost answer. Later it ends the session.',
  },
  {
    name: 'AUTH_SESSION_MAX_DAYS',
    value: '90',
    meaning:
      'Days after the sign-in when a session ends, however much it is used. Values above 90 act as 90. A new value holds for existing sessions, too.',
  },
  {
    name: 'AUTH_EMAIL_INTERVAL_SECONDS',
    value: '60',
    meaning: 'Seconds between two mails of a kind to an address. 0 turns the pause off.',
  },
  {
    name: 'AUTH_LINK_TTL_SECONDS',
    value: '3600',
    meaning: 'Seconds for which the link and the code of a mail work.',
  },
  {
    name: 'SIGN_UP',
    value: 'open',
    meaning:
      'Who may create an account: `open` for anybody, `sso` for people of the provider below, `closed` for nobody. Another value acts as `closed`.',
  },
  {
    name: 'PASSWORD_SIGN_IN',
    value: 'on',
    meaning:
      '`off`: only the provider below signs people in. Once somebody has signed in there, all passwords, mailed links and sessions that began otherwise are deleted. Without a provider it has no effect. See [sign-in.md](sign-in.md).',
  },
  {
    name: 'ADMIN_REQUIRES_2FA',
    value: 'off',
    meaning:
      '`on`: the admin pages open only to administrators who have an authenticator app, who have used a passkey in this session, or who have signed in at the provider below. Everything else stays open to them. A hosted project has its own rule.',
  },
  {
    name: 'PASSWORD_MIN_LENGTH',
    value: '6',
    meaning:
      'The fewest characters of a new password, from 6 to 64. Passwords that exist stay valid. The 10,000 most common passwords and the account’s own address are refused, too.',
  },
  {
    name: 'OIDC_ISSUER',
    value: '',
    meaning:
      'The issuer of your OpenID Connect provider, as its metadata name it, for example `https://login.acme.example/realms/acme`. Sign-in with a company account is on while it is set. Only https, or a loopback host in development. [sign-in.md](sign-in.md) has the steps for Keycloak, Entra and Google.',
  },
  {
    name: 'OIDC_CLIENT_ID',
    value: '',
    meaning:
      'The id that the provider gave this deployment. Register `<APP_ORIGIN>/api/auth/v1/callback` there.',
  },
  {
    name: 'OIDC_CLIENT_SECRET',
    secret: true,
    meaning: 'The secret that belongs to the client id. Not set: a public client.',
  },
  {
    name: 'OIDC_NAME',
    value: '',
    meaning: 'The provider’s name on the sign-in button and in mails. Empty: “Company account”.',
  },
  {
    name: 'OIDC_SCOPES',
    value: 'openid email profile',
    meaning: 'The scopes to ask for. `OIDC_ADMIN_GROUP` may need one more, such as `groups`.',
  },
  {
    name: 'OIDC_ALLOWED_DOMAINS',
    value: '',
    meaning:
      'Domains, separated by commas or spaces: only people with an address there, verified by the provider or by a mailed code, may sign in. Set it where the provider serves everybody, as Google does.',
  },
  {
    name: 'OIDC_ADMIN_GROUP',
    value: '',
    meaning:
      'The value of the claim `groups` that makes administrators. It is read at each sign-in: who has left the group is no administrator any more, except the last one.',
  },
  {
    name: 'OIDC_LINK_BY_EMAIL',
    value: 'off',
    meaning:
      '`verified`: a verified address at the provider joins the account that has proven the same mailbox, and the owner gets a mail. `off`: the owner proves the mailbox once with a mailed code, or connects the provider in Settings.',
  },
  {
    name: 'OIDC_SESSION_HOURS',
    value: '12',
    meaning: 'Hours after the sign-in at the provider when its session ends.',
  },
];
