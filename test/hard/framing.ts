// Requests whose HTTP is wrong or unusual, which no HTTP client lets one send: written to the socket by hand.
import { connect } from 'node:net'
import { newPhone, type World } from './world.ts'

type Framed = { readonly name: string; readonly expects: RegExp; readonly text: (body: string) => string[] }

const head = (more: string) =>
  `POST /api/v1/leads HTTP/1.1\r\nHost: lead-intake\r\nConnection: close\r\nContent-Type: application/json\r\n${more}`

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** `expects` is matched against the status line; an empty text is a connection closed without an answer. */
const framings: readonly Framed[] = [
  {
    name: 'chunked, without a length',
    expects: / 201 /,
    text: (body) => [`${head('Transfer-Encoding: chunked')}\r\nKEY\r\n\r\n`, chunk(body), '0\r\n\r\n'],
  },
  {
    name: 'chunked, byte by byte',
    expects: / 201 /,
    text: (body) => [
      `${head('Transfer-Encoding: chunked')}\r\nKEY\r\n\r\n`,
      [...body].map(chunk).join(''),
      '0\r\n\r\n',
    ],
  },
  {
    name: 'chunked, 8 MiB and one byte',
    expects: / 413 /,
    text: () => [
      `${head('Transfer-Encoding: chunked').replace('/leads', '/leads/bulk')}\r\nKEY\r\n\r\n`,
      ...Array.from({ length: 8 }, () => chunk(' '.repeat(1024 * 1024))),
      chunk(' '),
      '0\r\n\r\n',
    ],
  },
  {
    name: 'chunked, broken off',
    expects: /^$| 400 /,
    text: (body) => [`${head('Transfer-Encoding: chunked')}\r\nKEY\r\n\r\n`, chunk(body.slice(0, 20))],
  },
  {
    name: 'chunked, with a chunk that is no number',
    expects: /^$| 400 /,
    text: (body) => [`${head('Transfer-Encoding: chunked')}\r\nKEY\r\n\r\n`, `zz\r\n${body}\r\n0\r\n\r\n`],
  },
  {
    name: 'both a length and chunks',
    expects: /^$| 400 | 201 /,
    text: (body) => [
      `${head(`Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`)}\r\nKEY\r\n\r\n`,
      chunk(body),
      '0\r\n\r\n',
    ],
  },
  {
    name: 'fewer bytes than announced',
    expects: /^$| 400 /,
    text: (body) => [`${head(`Content-Length: ${body.length + 10}`)}\r\nKEY\r\n\r\n`, body],
  },
  {
    // The rest is another request, and no good one.
    name: 'more bytes than announced',
    expects: / 400 /,
    text: (body) => [`${head(`Content-Length: ${body.length - 5}`)}\r\nKEY\r\n\r\n`, body],
  },
  {
    name: 'a length that is no number',
    expects: /^$| 400 /,
    text: (body) => [`${head('Content-Length: -5')}\r\nKEY\r\n\r\n`, body],
  },
  {
    name: 'an announced 8 MiB and one byte',
    expects: / 413 /,
    text: () => [
      `${head('Content-Length: 8388609').replace('/leads', '/leads/bulk')}\r\nKEY\r\n\r\n`,
      ...Array.from({ length: 8 }, () => ' '.repeat(1024 * 1024)),
      ' ',
    ],
  },
  {
    name: 'a key sent twice',
    expects: / 401 /,
    text: (body) => [`${head(`Content-Length: ${body.length}`)}\r\nKEY\r\nKEY\r\n\r\n`, body],
  },
  {
    name: 'a content type sent twice',
    expects: / 415 /,
    text: (body) => [
      `${head(`Content-Type: text/plain\r\nContent-Length: ${body.length}`)}\r\nKEY\r\n\r\n`,
      body,
    ],
  },
  {
    name: 'a header with a bare line feed',
    expects: /^$| 400 | 201 /,
    text: (body) => [
      `${head(`X-Request-Id: a\nX-Injected: 1\r\nContent-Length: ${body.length}`)}\r\nKEY\r\n\r\n`,
      body,
    ],
  },
  {
    name: 'an Idempotency-Key beyond ASCII',
    expects: / 400 /,
    text: (body) => [
      `${head(`Idempotency-Key: caf\u00e9\r\nContent-Length: ${body.length}`)}\r\nKEY\r\n\r\n`,
      body,
    ],
  },
  {
    name: 'a request id beyond ASCII',
    expects: / 201 /,
    text: (body) => [
      `${head(`X-Request-Id: caf\u00e9\r\nContent-Length: ${body.length}`)}\r\nKEY\r\n\r\n`,
      body,
    ],
  },
  {
    name: 'a method that nobody knows',
    expects: /^$| 501 | 400 | 405 /,
    text: () => ['BREW /api/v1/leads HTTP/1.1\r\nHost: lead-intake\r\nConnection: close\r\nKEY\r\n\r\n'],
  },
  {
    name: 'headers of 200 KiB',
    expects: /^$| 431 | 400 /,
    text: () => [head(`X-Request-Id: ${'x'.repeat(200 * 1024)}`), '\r\nKEY\r\n\r\n'],
  },
]

/** Sends each, on a connection of its own. Returns what was not as expected. */
export async function frameOddly(port: number, { campaignIds, keys }: World): Promise<string[]> {
  const breaches: string[] = []
  for (const [index, { name, expects, text }] of framings.entries()) {
    const phoneNumber = newPhone()
    const body = JSON.stringify({ campaignId: campaignIds[0], phoneNumber: phoneNumber.replace('+49', '+3') })
    const key = `X-Api-Key: ${keys[index % keys.length]?.key}`
    const answer = await write(
      port,
      text(body).map((part) => part.replaceAll('KEY', key)),
    )
    const statusLine = answer.slice(0, answer.indexOf('\r\n') + 1)
    if (!expects.test(statusLine)) breaches.push(`${name}: ${answer.slice(0, 300)}`)
    if (/\r\nx-injected/i.test(answer)) breaches.push(`${name}: a header was injected`)
  }
  return breaches
}

/** What was received before the connection was closed. */
function write(port: number, parts: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part, 'latin1')
      socket.end()
    })
    socket.on('data', (part) => {
      answer += part.toString('latin1')
    })
    socket.setTimeout(10_000, () => {
      answer = `no answer: ${answer}`
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}
