import QRCode from 'qrcode-svg';

/**
 * The QR code of a text, drawn in the page. `margin` is the number of light modules around the
 * symbol. With `label` it is an image for screen readers, otherwise a decoration.
 */
export function QrSymbol({
  text,
  margin,
  label,
  className,
}: {
  text: string;
  margin: number;
  label?: string;
  className: string;
}) {
  const { modules } = new QRCode({ content: text, ecl: 'M' }).qrcode;
  const side = modules.length + 2 * margin;
  const steps = modules.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])),
  );
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      data-qr={text}
      className={className}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={steps.join('')} className="fill-current" />
    </svg>
  );
}
