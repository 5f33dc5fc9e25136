/** The part of qrcode-svg that is used here: it ships no types. */
declare module 'qrcode-svg' {
  class QRCode {
    constructor(options: { content: string; ecl: 'L' | 'M' | 'Q' | 'H' });
    /** `modules[row][column]`: true is dark. */
    qrcode: { modules: boolean[][] };
  }
  export = QRCode;
}
