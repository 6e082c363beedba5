// A request to a voice provider: within a time, without redirects, its answer read to a limit and freed from secrets.
import { hasMoreContainers } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import type { Answer } from './template/read-start.ts'
import type { Texts } from './template/template.ts'

/** Where requests go. Tests take their own. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

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
  // Not AbortSignal.timeout: its timer would run on after the answer, and an isolate has only so many.
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const response = await send(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'lead-intake-dialer', ...headers },
      body,
      redirect: 'manual',
      signal: controller.signal,
    })
    const { status } = response
    const bytes = await readBytes(response).catch(() => nothing)
    const isTooLarge = bytes === null || hasMoreContainers(bytes, limits.dialerAnswerMaxContainers)
    const answered = isTooLarge ? undefined : parse(bytes.toString('utf8'))
    return {
      status,
      retryAfter: response.headers.get('retry-after'),
      body: withoutSecrets(answered, [...Object.values(secrets), ...credentialsIn(headers)]),
      unread: isRedirect(status) ? 'redirects are not followed' : isTooLarge ? tooLarge : null,
    }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

const nothing = Buffer.alloc(0)
const isRedirect = (status: number) => status >= 300 && status < 400
const tooLarge = `the answer is larger than ${limits.dialerAnswerMaxBytes / 1024} KiB, or has too many parts`

/** Null: it is too large. */
async function readBytes({ body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > limits.dialerAnswerMaxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const credentialsIn = ({ authorization = '' }: { readonly authorization?: string }) =>
  authorization.split(' ').slice(-1)

/** A shorter one may be part of anything. */
const secretMinChars = 8

/**
 * Some providers echo what they were sent, and write it in JSON as they like: it is looked for in the parsed texts. The
 * containers are ours, and are changed in place: an answer may be nested deeper than a function may call itself.
 */
function withoutSecrets(body: unknown, all: readonly string[]): unknown {
  const secrets = all
    .filter((secret) => secret.length >= secretMinChars)
    .sort((one, other) => other.length - one.length)
  const cutOut = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  if (secrets.length === 0) return body
  const root = [body]
  const left: unknown[] = [root]
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    const members = container as Record<string, unknown>
    for (const [name, value] of Object.entries(members)) {
      if (typeof value === 'string') members[name] = cutOut(value)
      else if (typeof value === 'object' && value !== null) left.push(value)
      const shown = Array.isArray(container) ? name : cutOut(name)
      if (shown === name) continue
      members[shown] = members[name]
      delete members[name]
    }
  }
  return root[0]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
