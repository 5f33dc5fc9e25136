/** The value of a key; where there is none, a new one, which the map then has. */
export function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => NoInfer<V>): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
