import { ChartNoAxesColumn, Copy, Eye, List, QrCode } from 'lucide-react';
import type { ListedLink } from '#contract/links/links.ts';
import { previewUrlOf } from '#contract/codes/link-key.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { copyText } from '#web/ui/copy-button.tsx';
import { toast } from '#web/ui/announcer.ts';
import type { PaletteCommand } from './palette-command.ts';

/** What the palette can do with a link. `open` navigates inside the application. */
export function linkCommands(
  { short_code: key, short_url: shortUrl }: Pick<ListedLink, 'short_code' | 'short_url'>,
  open: (path: string) => void,
): PaletteCommand[] {
  const path = encodeURIComponent(key);
  return [
    {
      id: 'analytics',
      label: 'Open analytics',
      icon: ChartNoAxesColumn,
      run: () => open(`/analytics/${path}`),
    },
    {
      id: 'copy',
      label: 'Copy short URL',
      icon: Copy,
      run: () => copyText(shortUrl, () => toast('Copied.')),
    },
    { id: 'qr', label: 'Open QR code', icon: QrCode, run: () => open(`/qr/${path}`) },
    {
      id: 'preview',
      label: 'Preview destination',
      icon: Eye,
      run: () => void window.open(previewUrlOf(shortUrl), '_blank', 'noopener'),
    },
    {
      id: 'list',
      label: 'Show in My URLs',
      icon: List,
      run: () => open(`/dashboard?q=${encodeURIComponent(codeOf(shortUrl))}`),
    },
  ];
}
