import type { Provider } from '@supabase/supabase-js';
import { KeyRound } from 'lucide-react';
import { authErrorMessage, signInAtProvider } from '#web/shared/sign-in/auth-api.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button, MAIN_ACTION } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Opens the sign-in page of a provider. */
export function ProviderButton({
  name,
  provider,
  next,
  isOnly,
}: {
  name: string;
  /** The client's name of it. */
  provider: Provider;
  next: string;
  isOnly: boolean;
}) {
  const begin = useAsyncAction(signInAtProvider);
  return (
    <div className="space-y-4">
      {begin.error !== null && (
        <Notice tone="bad">
          <p>{authErrorMessage(begin.error)}</p>
        </Notice>
      )}
      <Button
        variant={isOnly ? 'primary' : 'secondary'}
        className={`w-full ${isOnly ? MAIN_ACTION : ''}`}
        pending={begin.pending}
        onClick={() => begin.run({ provider, next })}
      >
        <KeyRound aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 truncate">Continue with {name}</span>
      </Button>
    </div>
  );
}
