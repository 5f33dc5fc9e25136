/**
 * The address of each country's flag by its code. Flags are separate assets, so a page loads only
 * those it shows.
 */
const FLAGS = import.meta.glob<string>('../../../../node_modules/country-flag-icons/3x2/??.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});
const FOLDER = Object.keys(FLAGS)[0]?.slice(0, -'XX.svg'.length) ?? '';

/**
 * A country's flag, which is decorative because its name is beside it. Shows a dot if there is no
 * flag, for example for 'Unknown'.
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
