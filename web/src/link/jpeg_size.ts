// How large a JPEG says that it is. Read before a browser decodes it: a few bytes may ask for a picture of gigabytes.

export interface Size {
  width: number;
  height: number;
}

const kBegin = 0xffd8;
const kFrames = [0xc0, 0xc1, 0xc2]; // baseline, extended, progressive: what browsers show

// Null: it is none.
export function jpeg_size(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== kBegin) return null;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    if (kFrames.includes(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + length;
  }
  return null;
}
