/**
 * A variable of the Worker. `value` is the default in wrangler.toml; secrets are never written
 * there.
 */
export type Variable = { name: string; meaning: string } & ({ value: string } | { secret: true });
