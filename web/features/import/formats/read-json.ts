import { ImportError } from './import-row.ts';

/** The member names under which API responses and exports store their list of links. */
const LISTS = ['links', 'data', 'urls', 'shortUrls', 'items', 'results', 'rows'];
const TOTALS = [
  ['total'],
  ['count'],
  ['pagination', 'total'],
  ['shortUrls', 'pagination', 'totalItems'],
  ['stats', 'total_links'],
];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the links of a JSON text, and the total that the service states. The text is a list, an
 * object with a list, or several of these: API pages in a list, or one per line.
 */
export function readJsonLinks(text: string): { items: unknown[]; total: number } {
  const documents = parse(text);
  const items = documents.flatMap(itemsOf);
  if (items.length === 0) throw new ImportError('There are no links in this file.');
  return { items, total: Math.max(...documents.slice(0, 1000).map(totalOf)) };
}

function parse(text: string): unknown[] {
  try {
    const document: unknown = JSON.parse(text);
    // phpMyAdmin writes a header and the database before its tables.
    if (
      Array.isArray(document) &&
      document.some((part) => isObject(part) && part['type'] === 'table')
    )
      return document.filter((part) => isObject(part) && listIn(part) !== undefined);
    return Array.isArray(document) &&
      document.every((page) => isObject(page) && listIn(page) !== undefined)
      ? document
      : [document];
  } catch {
    try {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line));
    } catch {
      throw new ImportError(
        'This file starts like JSON, but it is not complete. Export it again, then try again.',
      );
    }
  }
}

function itemsOf(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  return isObject(document) ? (listIn(document) ?? [document]) : [document];
}

/**
 * Returns the list in a page of links. Shlink nests it one level deeper; YOURLS has an object with
 * one member per link, and Linkwarden a list of links in each collection.
 */
function listIn(page: Record<string, unknown>, isInner = false): unknown[] | undefined {
  const { collections } = page;
  if (Array.isArray(collections) && collections.every(isObject))
    return collections.flatMap((collection) => listIn(collection) ?? []);
  for (const name of LISTS) {
    const list = page[name];
    if (Array.isArray(list)) return list;
    if (!isObject(list)) continue;
    const inner = isInner ? undefined : listIn(list, true);
    if (inner !== undefined) return inner;
    const members = Object.values(list);
    if (members.length > 0 && members.every(isObject)) return members;
  }
  return undefined;
}

function totalOf(document: unknown): number {
  for (const path of TOTALS) {
    let value: unknown = document;
    for (const name of path) value = isObject(value) ? value[name] : undefined;
    const total = Number(value);
    if (Number.isSafeInteger(total)) return total;
  }
  return 0;
}

/**
 * Maps the names of an object's members to their values. Nested names are joined:
 * `meta.validUntil`.
 */
export function membersOf(item: unknown): Map<string, unknown> | undefined {
  if (!isObject(item)) return undefined;
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(item)) {
    if (!isObject(value)) members.set(name, value);
    else
      for (const [inner, innerValue] of Object.entries(value))
        members.set(`${name}.${inner}`, innerValue);
  }
  return members;
}
