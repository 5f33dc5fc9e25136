import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { chooseTheme, storedTheme, THEMES, type Theme } from './theme.ts';

const CHOICES = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>('system');
  // After the first render, which is that of the prerendered page.
  // oxlint-disable-next-line react/set-state-in-effect -- the build knows no stored choice.
  useEffect(() => setTheme(storedTheme(localStorage)), []);
  return (
    <fieldset className="flex rounded-full border border-line p-0.5">
      <legend className="sr-only">Color scheme</legend>
      {THEMES.map((choice) => {
        const { label, icon: Icon } = CHOICES[choice];
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
              onChange={() => {
                chooseTheme(choice, document.documentElement, localStorage);
                setTheme(choice);
              }}
            />
            <Icon className="size-4" />
            <span className="sr-only">{` ${label} `}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
