// A request to a voice provider: within a time, without redirects, its answer read to a limit and freed from secrets.
import type { Answer } from './template/read-start.ts'
import type { Texts } from './template/template.ts'

/** Where requests go. Tests take their own. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

const answerMaxBytes = 4 * 1024 * 1024

type ToSend = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Null: no answer in time, or no connection. */
export async function sendRequest(
  send: Send,
  { method, url, headers, body }: ToSend,
  timeoutMs: number,
  secrets: Texts,
): Promise<Answer | null> {
  const controller = new AbortController()
  // Not AbortSignal.timeout: its timer would go on after the answer, and an isolate has only so many.
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const response = await send(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'lead-intake-dialer', ...headers },
      body,
      redirect: 'manual',
      signal: controller.signal,
    })
    const text = await readText(response).catch(() => '')
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: parse(withoutSecrets(text, [...Object.values(secrets), ...credentialsIn(headers)])),
    }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > answerMaxBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const credentialsIn = ({ authorization = '' }: { readonly authorization?: string }) =>
  authorization.split(' ').slice(-1)

/** A shorter one may be part of anything. */
const secretMinChars = 8

/** Some providers echo what they were sent. */
const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets
    .filter((secret) => secret.length >= secretMinChars)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
