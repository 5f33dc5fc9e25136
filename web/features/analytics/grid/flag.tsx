/**
 * The address of each country's flag, by its code. A flag is an asset of its own, so a page loads
 * only those that it shows.
 */
const FLAGS = import.meta.glob<string>('../../../../node_modules/country-flag-icons/3x2/??.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});
const FOLDER = Object.keys(FLAGS)[0]?.slice(0, -'XX.svg'.length) ?? '';

/**
 * A country's flag, decorative: its name is beside it. A dot where there is none, for example for
 * 'Unknown'.
 */
export function Flag({ country }: { country: string }) {
  const address = FLAGS[`${FOLDER}${country}.svg`];
  return address === undefined ? (
    <span aria-hidden="true" className="mx-1.75 size-1 shrink-0 rounded-full bg-line-strong" />
  ) : (
    <img
      src={address}
      alt=""
      width={18}
      height={12}
      loading="lazy"
      className="h-3 w-4.5 shrink-0 rounded-[2px] ring-1 ring-line"
    />
  );
}
