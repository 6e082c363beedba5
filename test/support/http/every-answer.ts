// What every answer must be, whatever was asked: the envelope (D1), and the headers of an API. Says what is amiss, in
// words; knows nothing of how the answer was come by, nor what it should have said.

export type AnyAnswer = {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
}
export type Asked = { readonly method: string; readonly path: string; readonly requestId: string | undefined }

/** Those that a client can bring about: none of them is the service's fault. */
const ofClients: ReadonlySet<number> = new Set([
  200, 201, 202, 400, 401, 403, 404, 405, 409, 412, 413, 415, 429,
])
const ofFaults: ReadonlySet<number> = new Set([500, 503])

/** Empty: nothing is amiss. `isFaulty`: a part of the service fails. */
export function breaches(
  asked: Asked,
  { status, header, text }: AnyAnswer,
  { isFaulty = false } = {},
): string[] {
  const found: string[] = []
  const must = (isSo: boolean, what: string) => {
    if (!isSo) found.push(what)
  }
  const isFailure = status >= 400
  const isCsv = header('content-type')?.startsWith('text/csv') === true
  // A failed health check (D28).
  const tellsWhatItSaw = status === 503 && asked.path === '/api/health'

  must(ofClients.has(status) || (isFaulty && ofFaults.has(status)), `status ${status}`)
  if (asked.method === 'HEAD') must(text === '', 'HEAD with a body')
  else if (!isCsv) must(isEnvelope(text, isFailure, !isFailure || tellsWhatItSaw), 'no envelope')
  must(isCsv ? status === 200 : header('content-type') === 'application/json', 'content type')
  must(/^[a-z]+(_[a-z]+)*$/.test(header('x-error-code') ?? '') === isFailure, 'X-Error-Code')
  must(header('cache-control') === 'no-store', 'Cache-Control')
  must(header('x-content-type-options') === 'nosniff', 'X-Content-Type-Options')
  must(header('server') === null && header('x-powered-by') === null, 'server banner')
  must(header('access-control-allow-origin') === null, 'CORS')
  must(header('set-cookie') === null, 'cookie')
  if (status === 429) must(/^[1-9]\d*$/.test(header('retry-after') ?? ''), 'Retry-After')
  if (status === 503) must(header('retry-after') === '5', 'Retry-After')
  if (status < 400) must(header('retry-after') === null, 'Retry-After of a success')
  if (status === 405) must(header('allow') !== null, 'Allow')

  const requestId = header('x-request-id') ?? ''
  must(/^[\x21-\x7e]{1,128}$/.test(requestId), 'X-Request-Id')
  const isKept = asked.requestId !== undefined && /^[\x21-\x7e]{1,128}$/.test(asked.requestId)
  if (isKept) must(requestId === asked.requestId, 'X-Request-Id of the client')

  if (asked.path.startsWith('/api/')) {
    for (const name of ['limit', 'remaining', 'reset']) {
      must(/^\d+$/.test(header(`x-ratelimit-${name}`) ?? ''), `X-RateLimit of ${name}`)
    }
    must(header('x-api-version') !== null, 'X-Api-Version')
  }
  return found
}

function isEnvelope(text: string, isFailure: boolean, hasData: boolean): boolean {
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    if (Object.keys(body).join() !== 'success,data,error') return false
    if ((typeof body.data === 'object' && body.data !== null) !== hasData) return false
    if (isFailure) return body.success === false && /^[ -~]+$/.test(String(body.error))
    return body.success === true && body.error === null
  } catch {
    return false
  }
}
