import { LINKS_FILES, type LinksFormat } from '#contract/files/links-file.ts';
import { BYTE_ORDER_MARK } from '#contract/files/csv.ts';
import { apiText } from '#web/shared/api/api.ts';
import { saveFile } from '#web/shared/page/save-file.ts';

/** Saves these links, which need not be loaded, as a CSV file. */
export async function exportLinks(ids: readonly number[]): Promise<void> {
  const text = await apiText('/api/account/links', { method: 'POST', body: { ids } });
  saveFile(new Blob([BYTE_ORDER_MARK + text], { type: 'text/csv' }), 'links.csv');
}

/** Saves the links that the filters in `query` accept as a file. */
export async function exportListed(format: LinksFormat, query: string): Promise<void> {
  const filters = query === '' ? '' : `&${query}`;
  const text = await apiText(`/api/account/links?format=${format}&listed=1${filters}`);
  const start = format === 'csv' ? BYTE_ORDER_MARK : '';
  saveFile(new Blob([start + text]), LINKS_FILES[format]);
}
