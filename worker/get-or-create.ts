/** Returns the value of a key. If the key is missing, it stores and returns a new value. */
export function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => NoInfer<V>): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
