type Methods<T> = Partial<Record<keyof T, (...args: never[]) => unknown>>;

/** `binding` with some methods replaced. The others call the real binding. */
export function withMethods<T extends object>(binding: T, methods: Methods<T>): T {
  const replaced: Record<PropertyKey, unknown> = methods;
  // JavaScript compares each answer with the target's own property. In Node a binding is a proxy,
  // which asks the runtime for it, so the target is empty.
  const target: T = Object.create(null);
  return new Proxy(target, {
    get(_, name) {
      if (replaced[name] !== undefined) return replaced[name];
      const value: unknown = Reflect.get(binding, name);
      return typeof value === 'function' ? value.bind(binding) : value;
    },
    has: (_, name) => name in binding,
  });
}
