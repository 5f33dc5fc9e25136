import { lazyField } from '#web/shared/page/lazy-field.tsx';

export const PasswordSetting = lazyField(() =>
  import('./link-password-field.tsx').then((m) => m.LinkPasswordField),
);
export const RulesSetting = lazyField(() => import('./rules-field.tsx').then((m) => m.RulesField));
export const VariantsSetting = lazyField(() =>
  import('./variants-field.tsx').then((m) => m.VariantsField),
);
export const StatusSetting = lazyField(() =>
  import('./status-field.tsx').then((m) => m.StatusField),
);
export const WatchSetting = lazyField(() => import('./watch-field.tsx').then((m) => m.WatchField));
export const WatchFallbackSetting = lazyField(() =>
  import('./watch-field.tsx').then((m) => m.WatchFallbackField),
);
export const LinkTest = lazyField(() => import('./test-link.tsx').then((m) => m.TestLink));
