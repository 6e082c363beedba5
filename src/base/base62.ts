// Text of 0-9, A-Z and a-z, which needs no escaping and is selected by a double click.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Each character has the same probability. */
export function randomBase62(chars: number): string {
  let text = ''
  while (text.length < chars) {
    for (const byte of crypto.getRandomValues(new Uint8Array(chars))) {
      // 248 is the largest multiple of 62 in a byte: larger values would favour the first characters.
      if (byte < 248 && text.length < chars) text += alphabet[byte % 62]
    }
  }
  return text
}

/** One character for each of the digest's first `chars` bytes. */
export function digestBase62(digest: Uint8Array, chars: number): string {
  return Array.from(digest.subarray(0, chars), (byte) => alphabet[byte % 62]).join('')
}

/** `value` must be a whole number below 62 to the power of `chars`. Padded with zeros. */
export function numberBase62(value: number, chars: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < chars; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
