import { Monitor, Moon, Sun } from 'lucide-react';
import { optionClass } from '#web/ui/selected.ts';
import { chooseTheme, THEMES, useTheme } from './theme.ts';

export const THEME_LABELS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const;

export function ThemeSwitch() {
  const theme = useTheme();
  return (
    <fieldset className="flex rounded-full border border-line p-0.5">
      <legend className="sr-only">Color scheme</legend>
      {THEMES.map((choice) => {
        const { label, icon: Icon } = THEME_LABELS[choice];
        return (
          <label
            key={choice}
            data-tooltip={label}
            className={`inline-flex size-7 items-center justify-center rounded-full pointer-coarse:size-10 ${optionClass(theme === choice)}`}
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === choice}
              onChange={() => chooseTheme(choice)}
            />
            <Icon className="size-4" />
            <span className="sr-only">{` ${label} `}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
