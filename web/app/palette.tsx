import {
  CalendarRange,
  ChartNoAxesColumn,
  CreditCard,
  Globe,
  KeyRound,
  Keyboard,
  List,
  Monitor,
  Moon,
  Plus,
  Settings,
  Sun,
  Upload,
  Webhook,
} from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { CommandPalette } from '#web/features/palette/command-palette.tsx';
import type { PaletteCommand } from '#web/features/palette/palette-command.ts';
import { describeSelection } from '#web/features/analytics/range.ts';
import { RANGES, type Range } from '#contract/reports/ranges.ts';
import { config } from '#web/shared/page/config.ts';
import { openNewLink } from '#web/shared/links/new-link.ts';
import { withQueryClient } from './query-client.tsx';
import { chooseTheme, type Theme } from './theme.ts';

const DOMAINS = '/settings/domains';
const PAGES = [
  { to: '/dashboard', label: 'Go to My URLs', words: 'links dashboard list', icon: List },
  { to: '/analytics', label: 'Go to Analytics', words: 'overview', icon: ChartNoAxesColumn },
  { to: '/links/import', label: 'Import links', words: 'bitly csv', icon: Upload },
  { to: '/settings', label: 'Go to Settings', words: 'account password', icon: Settings },
  { to: DOMAINS, label: 'Go to Domains', words: 'settings host', icon: Globe },
  { to: '/settings/api', label: 'Go to API keys', words: 'settings', icon: KeyRound },
  { to: '/settings/webhooks', label: 'Go to Webhooks', words: 'settings', icon: Webhook },
  { to: '/pricing', label: 'Compare plans', words: 'upgrade premium', icon: CreditCard },
];

const THEMES: readonly { theme: Theme; label: string; icon: PaletteCommand['icon'] }[] = [
  { theme: 'light', label: 'Use the light theme', icon: Sun },
  { theme: 'dark', label: 'Use the dark theme', icon: Moon },
  { theme: 'system', label: 'Use the theme of the system', icon: Monitor },
];

/** The command palette of a member, with what can be done from every page. */
export const Palette = withQueryClient(MemberPalette);

function MemberPalette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const open = (path: string): void => void navigate(path);
  const showRange = (range: Range): void => {
    const params = new URLSearchParams(search);
    for (const name of ['from', 'to']) params.delete(name);
    params.set('range', range);
    open(`${pathname}?${params.toString()}`);
  };
  const commands: PaletteCommand[] = [
    {
      id: 'new',
      label: 'Create link',
      words: 'new shorten',
      icon: Plus,
      shortcut: 'c',
      run: openNewLink,
    },
    ...(pathname.startsWith('/analytics')
      ? RANGES.map((range) => ({
          id: `range ${range}`,
          label: `Show ${describeSelection({ range })}`,
          icon: CalendarRange,
          run: () => showRange(range),
        }))
      : []),
    ...PAGES.filter(({ to }) => to !== DOMAINS || config.domains).map(
      ({ to, label, words, icon }) => ({
        id: to,
        label,
        words,
        icon,
        run: () => open(to),
      }),
    ),
    ...THEMES.map(({ theme, label, icon }) => ({
      id: theme,
      label,
      icon,
      words: 'color scheme mode',
      run: () => chooseTheme(theme),
    })),
    {
      id: 'keys',
      label: 'Show keys',
      words: 'keyboard shortcuts',
      icon: Keyboard,
      shortcut: '?',
      run: onKeys,
    },
  ];
  return <CommandPalette commands={commands} onOpen={open} onClose={onClose} />;
}
