/** The part of qrcode-svg that is used here. The package has no types. */
declare module 'qrcode-svg' {
  class QRCode {
    constructor(options: { content: string; ecl: 'L' | 'M' | 'Q' | 'H' });
    /** `modules[row][column]`, true for dark. */
    qrcode: { modules: boolean[][] };
  }
  export = QRCode;
}
