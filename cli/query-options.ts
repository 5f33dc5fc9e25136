import type { Call, Option, Options } from './command.ts';

/** The query parameters of a route, each with the option that sets it. */
export type QueryOptions<Name extends string = string> = Readonly<
  Record<Name, Option & { option: string }>
>;

export const optionsOf = (table: QueryOptions): Options =>
  Object.fromEntries(Object.values(table).map(({ option, ...form }) => [option, form]));

/** Reads the parameters that were given. Switches become `true` and `false`. */
export const queryIn = (
  table: QueryOptions,
  { text, flag, number }: Pick<Call, 'text' | 'flag' | 'number'>,
): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { option, min }]) => {
      const switched = flag(option);
      const given = min === undefined ? text(option) : number(option);
      const value = given ?? (switched === undefined ? undefined : String(switched));
      return value === undefined ? [] : [[name, value]];
    }),
  );
