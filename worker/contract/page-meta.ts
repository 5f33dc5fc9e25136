import type { Page } from './paths.ts';
import { PLANS, priceText, SITE_NAME } from './site.ts';

/**
 * What a page is called: the tab's title, and what search engines and shared links show.
 * `index` is false for pages that are nobody else's business or say nothing to a stranger.
 */
export type PageMeta = { title: string; description: string; index: boolean };

const { free, premium } = PLANS;

/** Pages with a subject of their own (a post, a link) start from their line here. */
export const PAGE_META: Readonly<Record<Page, PageMeta>> = {
  '/': {
    title: `${SITE_NAME}: short links that keep their word`,
    description: `Shorten a long link in a second, no account needed. With one: your own aliases, exact click counts and QR codes, ${free.monthlyLimit} links a month for free.`,
    index: true,
  },
  '/pricing': {
    title: 'Pricing',
    description: `${free.monthlyLimit} links a month for ${priceText(free.price)}, ${premium.monthlyLimit.toLocaleString('en-IN')} for ${priceText(premium.price)}. Analytics and QR codes in both plans. Cancel anytime.`,
    index: true,
  },
  '/about': {
    title: 'About',
    description: `What ${SITE_NAME} is, how it redirects in milliseconds from the edge, how it counts each click once, and what it refuses to do.`,
    index: true,
  },
  '/privacy': {
    title: 'Privacy',
    description: `What ${SITE_NAME} stores about you and about the people who follow your links, for how long, and how to take it with you or delete it.`,
    index: true,
  },
  '/terms': {
    title: 'Terms',
    description: `The rules for using ${SITE_NAME}: what links may lead to, what plans cost, what we promise and what we do not.`,
    index: true,
  },
  '/blogs': {
    title: 'Blog',
    description: `Notes from ${SITE_NAME}: news, guides and the reasoning behind short links.`,
    index: true,
  },
  '/blog/:slug': { title: 'Blog', description: `A post from the ${SITE_NAME} blog.`, index: true },
  '/report': {
    title: 'Report a link',
    description: `Tell us about a ${SITE_NAME} link that leads to phishing, malware, spam or anything illegal.`,
    index: false,
  },
  '/auth': { title: 'Sign in', description: `Sign in to ${SITE_NAME} or create an account.`, index: false },
  '/auth/confirm': { title: 'Open your link', description: `Use the link from a ${SITE_NAME} email.`, index: false },
  '/auth/reset': { title: 'New password', description: `Choose a new password for your ${SITE_NAME} account.`, index: false },
  '/dashboard': { title: 'My URLs', description: 'Your links and how they do.', index: false },
  '/analytics/:code': { title: 'Link analytics', description: 'Clicks of one link by date, country and device.', index: false },
  '/settings': { title: 'Settings', description: 'Your account: password, sessions, export and deletion.', index: false },
  '/admin': { title: 'Admin', description: 'Users, plans and links.', index: false },
  '/admin/blogs': { title: 'Manage blogs', description: 'Write, publish and edit posts.', index: false },
};

/** 'Pricing' → 'Pricing · Hop'; a title that names the product already stays as it is. */
export const documentTitle = (title: string): string => (title.startsWith(SITE_NAME) ? title : `${title} · ${SITE_NAME}`);
