/** One click as it travels to the consumer: raw, bounded facts. Nothing is parsed and nothing is classed here. */
export type ClickEvent = {
  /** Link id. */
  l: number;
  /** When, ms since 1970. */
  t: number;
  /** 1 where the browser said that it only prefetches. */
  p?: 1;
  ua: string;
  /** Referrer host, '' = direct. */
  r: string;
  /** Country (ISO 3166-1 alpha-2), region and city, '' = unknown. */
  c: string;
  g: string;
  y: string;
  /** Visitor key, '' where the visitor asked not to be recognised. */
  k: string;
};

/** A queue message: the clicks of one isolate within a short time. The id is made when the window opens and counts once, ever. */
export type ClickWindow = { v: 1; id: string; e: ClickEvent[] };
