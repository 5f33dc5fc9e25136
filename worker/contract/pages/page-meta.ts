import { formatNumber } from '#contract/language.ts';
import { HOME_TITLE } from './page-titles.ts';
import type { PagePath } from './paths.ts';
import { PLANS, SITE_NAME } from '#contract/site.ts';

/**
 * Title and description of a page, for the browser tab, search engines and link previews. `index`
 * is true for pages that help a visitor from a search engine.
 */
export type PageMeta = { title: string; description: string; index?: boolean };

const { free, premium } = PLANS;

/** The metadata of every page. A post's page replaces its title and description with the post's. */
export const PAGE_META: Readonly<Record<PagePath, PageMeta>> = {
  '/': {
    title: HOME_TITLE,
    description: `Shorten a link in a second, no account needed. With one: your own aliases, exact click counts and QR codes, ${free.monthlyLimit} links a month for free.`,
    index: true,
  },
  '/pricing': {
    title: 'Pricing',
    description: `${free.monthlyLimit} links a month for free, ${formatNumber(premium.monthlyLimit)} with ${premium.name}. Analytics and QR codes in both plans. Cancel anytime.`,
    index: true,
  },
  '/about': {
    title: 'About',
    description: `What ${SITE_NAME} is, how it redirects in milliseconds from the edge, counts each click once, and what it does not do.`,
    index: true,
  },
  '/privacy': {
    title: 'Privacy',
    description: `What ${SITE_NAME} stores about you and about the people who follow your links, for how long, and how to export or delete it.`,
    index: true,
  },
  '/terms': {
    title: 'Terms',
    description: `The rules for using ${SITE_NAME}: what you can link to, what plans cost, and what we do and do not promise.`,
    index: true,
  },
  '/blogs': {
    title: 'Blog',
    description: `Notes from ${SITE_NAME}: news, guides and the reasoning behind short links.`,
    index: true,
  },
  '/blog/:slug': { title: 'Blog', description: `A post from the ${SITE_NAME} blog.`, index: true },
  '/tools': {
    title: 'Tools',
    description: `Shorten the page you are on with ${SITE_NAME}: bookmarklet, share menu, iPhone shortcut, ShareX and the command line.`,
    index: true,
  },
  '/docs/api': {
    title: 'API documentation',
    description: `How to create ${SITE_NAME} links and read their clicks from your own programs: quick starts, every route, command line and assistants.`,
    index: true,
  },
  '/report': {
    title: 'Report a link',
    description: `Report a ${SITE_NAME} link that leads to phishing, malware, spam or illegal content.`,
  },
  '/unsubscribe': {
    title: 'Stop the weekly email',
    description: 'Opens from the link in a weekly email.',
  },
  '/share': {
    title: 'Shared report',
    description: 'Clicks that somebody shares. Opens from its secret address.',
  },
  '/auth': {
    title: 'Sign in',
    description: `Sign in to ${SITE_NAME} or create an account.`,
  },
  '/auth/callback': {
    title: 'Signing in',
    description: 'Finishes a sign-in with a company account.',
  },
  '/auth/confirm': {
    title: 'Confirm your email link',
    description: `Continue with the link from a ${SITE_NAME} email.`,
  },
  '/auth/reset': {
    title: 'New password',
    description: `Choose a new password for your ${SITE_NAME} account.`,
  },
  '/dashboard': {
    title: 'My URLs',
    description: 'Your short URLs and their click counts.',
  },
  '/links/import': {
    title: 'Import links',
    description: 'Bring links along from a file.',
  },
  '/analytics': {
    title: 'Overview',
    description: 'Clicks on all of your links by date, link and country.',
  },
  '/analytics/:code': {
    title: 'Link analytics',
    description: 'Clicks of one link by date, country and device.',
  },
  '/qr/:code': {
    title: 'QR code',
    description: 'Shapes, colors and logo of a QR code, to print or to download.',
  },
  '/settings': {
    title: 'Settings',
    description: 'Your account: password, weekly email and deletion.',
  },
  '/settings/plan': {
    title: 'Plan',
    description: 'Your plan and its usage.',
  },
  '/settings/data': {
    title: 'Data',
    description: 'Your account and your links as files.',
  },
  '/settings/sessions': {
    title: 'Sessions',
    description: 'Where your account is signed in.',
  },
  '/settings/domains': {
    title: 'Domains',
    description: 'Hosts of your own for short links.',
  },
  '/settings/api': {
    title: 'API keys',
    description: 'Keys for programs that use your account.',
  },
  '/oauth/authorize': {
    title: 'Connect an app',
    description: 'What an app, such as an assistant, may do in your account.',
  },
  '/settings/webhooks': {
    title: 'Webhooks',
    description: 'Addresses that are told when your links change.',
  },
  '/admin': { title: 'Admin', description: 'Users, plans and links.' },
  '/admin/claim': {
    title: 'Become an administrator',
    description: 'Opens from a one-time link.',
  },
  '/admin/blogs': {
    title: 'Manage blogs',
    description: 'Write, publish and edit posts.',
  },
};
