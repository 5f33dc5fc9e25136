import { createElement, type ReactNode } from 'react';
import { PAGE_SETTINGS, type BlockName, type PageSetting } from '#contract/page-templates.ts';
import { config } from './config.ts';

/** A part of a prerendered page that the Worker drops or repeats. Elsewhere just its children. */
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

/** React cannot write comments: turns the elements around blocks into theirs. */
export const markBlocks = (html: string): string =>
  html.replaceAll(/<hop-block name="([^"]+)"><\/hop-block>/g, '<!--$1-->');

/**
 * `children` where a setting of the deployment is on, else `otherwise`. The HTML of the build has
 * both: a prerendered page must not read such a setting in any other way.
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
