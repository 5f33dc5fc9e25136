import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';

/** Version 2.0: folders and deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** The bit that says that names are UTF-8. */
const UTF8 = 0x08_00;
/** January 1, 1980, the first day that the format knows. */
const FIRST_DAY = 0x21;

/**
 * Packs files into a zip archive (PKWARE APPNOTE.TXT 6.3.10, §4.3). The same files make the same
 * bytes: without times, in the order of their names.
 */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, content] of entries) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const data = deflateRawSync(bytes, { level: 9 });
    const shared = sharedHeader(bytes, data.length, name.length);
    const head = Buffer.concat([signature(3, 4), shared, name]);
    local.push(head, data);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([signature(1, 2), version(), shared, place, name]));
    offset += head.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, signature(5, 6), end]);
}

const signature = (third: number, fourth: number): Buffer =>
  Buffer.from([0x50, 0x4b, third, fourth]);

function version(): Buffer {
  const made = Buffer.alloc(2);
  made.writeUInt16LE(VERSION);
  return made;
}

/** The fields that the header of a file and its entry in the directory have in common. */
function sharedHeader(bytes: Buffer, packedSize: number, nameLength: number): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(UTF8, 2);
  header.writeUInt16LE(DEFLATE, 4);
  header.writeUInt16LE(FIRST_DAY, 8);
  header.writeUInt32LE(crc32(bytes), 10);
  header.writeUInt32LE(packedSize, 14);
  header.writeUInt32LE(bytes.length, 18);
  header.writeUInt16LE(nameLength, 22);
  return header;
}
