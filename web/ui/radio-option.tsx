import { useId, type ReactNode } from 'react';

/** A radio button with a label and an explanation. The whole box can be clicked. */
export function RadioOption({
  name,
  label,
  hint,
  checked,
  onSelect,
  required = false,
}: {
  name: string;
  label: ReactNode;
  hint: ReactNode;
  checked: boolean;
  onSelect: () => void;
  required?: boolean;
}) {
  const id = useId();
  return (
    <div className="relative flex items-start gap-3 rounded-md border border-transparent px-3 py-2.5 hover:bg-hover active:bg-pressed has-checked:bg-accent-soft">
      <input
        id={id}
        type="radio"
        name={name}
        required={required}
        aria-describedby={`${id}-hint`}
        className="relative z-1 mt-1 size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={onSelect}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-14 font-medium after:absolute after:inset-0">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-13 text-ink-2">
          {hint}
        </p>
      </div>
    </div>
  );
}
