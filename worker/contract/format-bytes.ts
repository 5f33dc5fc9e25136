import { numberFormat } from './language.ts';

const formatTenths = numberFormat({ maximumFractionDigits: 1 });
const formatWhole = numberFormat({ maximumFractionDigits: 0 });

/** '512 KB', '1.5 GB': units of 1000, as the platform counts its limits. */
export function formatBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'KB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size < 10 ? formatTenths(size) : formatWhole(size)} ${unit}`;
}
