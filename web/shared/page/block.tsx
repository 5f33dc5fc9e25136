import { createElement, type ReactNode } from 'react';
import { PAGE_SETTINGS, type BlockName, type PageSetting } from '#contract/pages/page-templates.ts';
import { config } from './config.ts';

/**
 * A part of a prerendered page that the Worker drops or repeats. The application renders only its
 * children.
 */
export function Block({ name, children }: { name: BlockName; children: ReactNode }) {
  if (!import.meta.env.SSR) return children;
  return (
    <>
      {createElement('hop-block', { name: `hop:${name}` })}
      {children}
      {createElement('hop-block', { name: `/hop:${name}` })}
    </>
  );
}

/**
 * Turns the elements around blocks into the Worker's comments, because React cannot write comments.
 */
export const markBlocks = (html: string): string =>
  html.replaceAll(/<hop-block name="([^"]+)"><\/hop-block>/g, '<!--$1-->');

/**
 * Shows `children` if a setting of the deployment is on, otherwise `otherwise`. The build's HTML
 * contains both, so a prerendered page must not read such a setting in any other way.
 */
export function When({
  setting,
  children,
  otherwise,
}: {
  setting: PageSetting;
  children?: ReactNode;
  otherwise?: ReactNode;
}) {
  if (!import.meta.env.SSR) return PAGE_SETTINGS[setting](config) ? children : otherwise;
  return (
    <>
      <Block name={setting}>{children}</Block>
      <Block name={`not-${setting}`}>{otherwise}</Block>
    </>
  );
}
