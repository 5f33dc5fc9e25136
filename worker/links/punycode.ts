/** Decoding of `xn--` labels (RFC 3492), to show a host in its own script beside the form that browsers send. */

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;

const digitOf = (char: number): number =>
  char >= 0x30 && char <= 0x39 ? char - 22 : char >= 0x61 && char <= 0x7a ? char - 0x61 : BASE;

function adapt(delta: number, points: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + 38));
}

/** The label in Unicode; the label itself where it is not a valid `xn--` label. */
export function unicodeLabel(label: string): string {
  if (!/^xn--./.test(label)) return label;
  const input = label.slice(4);
  const cut = input.lastIndexOf('-');
  const out = Array.from(cut > 0 ? input.slice(0, cut) : '', (char) => char.charCodeAt(0));
  let position = cut > 0 ? cut + 1 : 0;
  let code = 128;
  let index = 0;
  let bias = 72;
  while (position < input.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = position < input.length ? digitOf(input.charCodeAt(position)) : BASE;
      if (digit >= BASE) return label;
      position += 1;
      index += digit * weight;
      const t = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
      if (digit < t) break;
      weight *= BASE - t;
    }
    const points = out.length + 1;
    bias = adapt(index - before, points, before === 0);
    code += Math.floor(index / points);
    index %= points;
    if (code > 0x10ffff) return label;
    out.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...out);
}

/** A host name in Unicode, for people to read. Never a place to send anyone to. */
export const unicodeHost = (host: string): string => host.split('.').map(unicodeLabel).join('.');
