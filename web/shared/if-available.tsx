import type { ReactNode } from 'react';
import { FEATURES } from '#contract/plan-features.ts';
import { When } from './block.tsx';

/**
 * `children` if this deployment has a feature: without a support address there is no support to
 * give priority to.
 */
export const IfAvailable = ({ feature, children }: { feature: string; children: ReactNode }) =>
  feature === FEATURES.prioritySupport.name ? <When setting="support">{children}</When> : children;
