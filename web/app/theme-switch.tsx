import { Monitor, Moon, Sun } from 'lucide-react';
import { THEMES, useTheme } from './theme.ts';

export const THEME_LABELS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const;

export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  return (
    <fieldset className="flex rounded-full border border-line p-0.5">
      <legend className="sr-only">Color scheme</legend>
      {THEMES.map((choice) => {
        const { label, icon: Icon } = THEME_LABELS[choice];
        return (
          <label
            key={choice}
            data-tooltip={label}
            className="inline-flex size-7 items-center justify-center rounded-full text-ink-3 hover:bg-hover hover:text-ink active:bg-pressed has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:size-10"
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === choice}
              onChange={() => choose(choice)}
            />
            <Icon className="size-4" />
            <span className="sr-only">{` ${label} `}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
