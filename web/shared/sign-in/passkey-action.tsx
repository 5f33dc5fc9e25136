import { textLinkClass } from '#web/ui/external-link.tsx';
import { passkeyError } from './passkeys.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

/** A button that uses a passkey, with the error below it. `onUsed` is called once that worked. */
export function PasskeyAction({
  label,
  use,
  onUsed,
  className,
}: {
  label: string;
  use: () => Promise<void>;
  onUsed?: () => void;
  className: string;
}) {
  const passkey = useAsyncAction(use, onUsed);
  return (
    <div className={className}>
      <button
        type="button"
        className={textLinkClass}
        disabled={passkey.pending}
        onClick={() => passkey.run(undefined)}
      >
        {label}
      </button>
      {passkey.error !== null && (
        <p role="alert" className="mt-1 text-13 text-bad">
          {passkeyError(passkey.error)}
        </p>
      )}
    </div>
  );
}
