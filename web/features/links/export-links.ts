import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import { apiText } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';

/** Downloads these links, which need not be loaded, as a CSV file. */
export async function exportLinks(ids: readonly number[]): Promise<void> {
  const text = await apiText('/api/account/links', { method: 'POST', body: { ids } });
  saveFile(new Blob([BYTE_ORDER_MARK + text], { type: 'text/csv' }), 'links.csv');
}
