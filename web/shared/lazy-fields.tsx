import { Suspense } from 'react';
import { lazyOr } from '#web/ui/lazy-or.ts';
import type { LimitFieldProps } from './limit-field.tsx';
import type { LinkPasswordFieldProps } from './link-password-field.tsx';
import type { RulesFieldProps } from './rules-field.tsx';
import type { StatusFieldProps } from './status-field.tsx';
import type { TestLinkProps } from './test-link.tsx';
import type { VariantsFieldProps } from './variants-field.tsx';
import type { WatchFallbackProps, WatchFieldProps } from './watch-field.tsx';

const LazyPassword = lazyOr<LinkPasswordFieldProps>(
  () => import('./link-password-field.tsx').then((m) => m.LinkPasswordField),
  () => null,
);
const LazyRules = lazyOr<RulesFieldProps>(
  () => import('./rules-field.tsx').then((m) => m.RulesField),
  () => null,
);
const LazyVariants = lazyOr<VariantsFieldProps>(
  () => import('./variants-field.tsx').then((m) => m.VariantsField),
  () => null,
);
const LazyStatus = lazyOr<StatusFieldProps>(
  () => import('./status-field.tsx').then((m) => m.StatusField),
  () => null,
);

const LazyLimit = lazyOr<LimitFieldProps>(
  () => import('./limit-field.tsx').then((m) => m.LimitField),
  () => null,
);

const LazyTest = lazyOr<TestLinkProps>(
  () => import('./test-link.tsx').then((m) => m.TestLink),
  () => null,
);

const LazyWatch = lazyOr<WatchFieldProps>(
  () => import('./watch-field.tsx').then((m) => m.WatchField),
  () => null,
);
const LazyWatchFallback = lazyOr<WatchFallbackProps>(
  () => import('./watch-field.tsx').then((m) => m.WatchFallbackField),
  () => null,
);

const WAITING = <div className="h-8 pointer-coarse:h-11" />;

export const PasswordSetting = (props: LinkPasswordFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyPassword {...props} />
  </Suspense>
);

export const RulesSetting = (props: RulesFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyRules {...props} />
  </Suspense>
);

export const VariantsSetting = (props: VariantsFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyVariants {...props} />
  </Suspense>
);

export const StatusSetting = (props: StatusFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyStatus {...props} />
  </Suspense>
);

export const WatchSetting = (props: WatchFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyWatch {...props} />
  </Suspense>
);

export const WatchFallbackSetting = (props: WatchFallbackProps) => (
  <Suspense fallback={WAITING}>
    <LazyWatchFallback {...props} />
  </Suspense>
);

export const LimitSetting = (props: LimitFieldProps) => (
  <Suspense fallback={WAITING}>
    <LazyLimit {...props} />
  </Suspense>
);

export const LinkTest = (props: TestLinkProps) => (
  <Suspense fallback={WAITING}>
    <LazyTest {...props} />
  </Suspense>
);
