import type { ReactNode } from 'react';
import { FEATURES } from '#contract/plans/plan-features.ts';
import { When } from '#web/shared/page/block.tsx';

/**
 * Shows `children` if this deployment has the feature. For example, priority support needs a
 * support address.
 */
export const IfAvailable = ({ feature, children }: { feature: string; children: ReactNode }) =>
  feature === FEATURES.prioritySupport.name ? <When setting="support">{children}</When> : children;
