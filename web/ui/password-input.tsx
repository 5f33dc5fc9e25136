import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Input } from './input.tsx';

export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      {/* The placeholder is short enough for narrow phones. */}
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        className="pe-11 max-sm:placeholder:text-12 max-sm:placeholder:tracking-tight"
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        type="button"
        aria-label="Show password"
        aria-pressed={shown}
        onClick={() => setShown((before) => !before)}
        className="absolute inset-y-0 inset-e-0 inline-flex w-10 items-center justify-center rounded-md text-ink-3 -outline-offset-2 hover:text-ink active:bg-pressed"
      >
        <Icon className="size-4" />
      </button>
    </div>
  );
}
