import { ChartNoAxesColumn, Copy, Eye, List, QrCode } from 'lucide-react';
import type { ListedLink } from '#contract/links.ts';
import { previewPathOf, shortUrlOf } from '#contract/link-key.ts';
import { config } from '#web/shared/config.ts';
import { copyText } from '#web/ui/copy-button.tsx';
import { toast } from '#web/ui/announcer.ts';
import type { PaletteCommand } from './palette-command.ts';

/** What the palette can do with a link. `open` navigates inside the application. */
export function linkCommands(
  { short_code: code }: Pick<ListedLink, 'short_code'>,
  open: (path: string) => void,
): PaletteCommand[] {
  const shortUrl = shortUrlOf(config.shortOrigin, code);
  const path = encodeURIComponent(code);
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
      run: () => void window.open(previewPathOf(code), '_blank', 'noopener'),
    },
    {
      id: 'list',
      label: 'Show in My URLs',
      icon: List,
      run: () => open(`/dashboard?q=${path}`),
    },
  ];
}
