// A file as pieces of bytes, and its hash, by which a file that is chosen again is recognized.

const pieceBytes = 1024 * 1024

export async function* piecesOf(file: Blob, onShare: (share: number) => void): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.size; start += pieceBytes) {
    yield new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())
    onShare(Math.min(1, (start + pieceBytes) / file.size))
  }
}

/** Hashes the size and all bytes, piece by piece: Web Crypto cannot hash a stream. */
export async function hashFile(file: Blob): Promise<string> {
  let hash = await hashText(String(file.size))
  for await (const piece of piecesOf(file, () => {})) {
    const ofPiece = hex(await crypto.subtle.digest('SHA-256', piece as BufferSource))
    hash = await hashText(hash + ofPiece)
  }
  return hash
}

export async function hashText(text: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
