type Methods<T> = Partial<Record<keyof T, (...args: never[]) => unknown>>;

/** `binding` with some methods replaced. The others call the real binding. */
export function withMethods<T extends object>(binding: T, methods: Methods<T>): T {
  const replaced: Record<PropertyKey, unknown> = methods;
  return new Proxy(binding, {
    get(target, name) {
      if (replaced[name] !== undefined) return replaced[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
