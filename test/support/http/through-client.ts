// A request of the tests as the client for TypeScript sends it, so that whatever they ask of the service is asked of
// the client too: what it returns has to be what was answered. The test judges the answer itself.
import { type Call, LeadIntake, LeadIntakeError, TemporaryError } from '../../../src/sdk/src/lead-intake.ts'

type Sent = {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Makes of the client's request what is sent: some tests want what no client would send. */
  readonly fetch: (url: string, init: RequestInit) => Response | Promise<Response>
}

export async function sendThroughClient({ method, path, body, fetch }: Sent) {
  const answers: { readonly response: Response; readonly text: string }[] = []
  const client = new LeadIntake({
    baseUrl: 'http://lead-intake.test',
    // Never sent: the headers are the test's.
    apiKey: 'lk_',
    retryForMs: 0,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      const text = await response.text()
      answers.push({ response, text })
      const { status, headers } = response
      // A redirect or a 304 may be made only without a body.
      return new Response(text === '' ? null : text, { status, headers })
    },
  })
  const call = { method, path, body } as Call
  const outcome = await client.request(call).then(
    ({ data }) => ({ data, error: undefined }),
    (error: unknown) => ({ data: undefined, error }),
  )
  const [answer, ...others] = answers
  // What keeps the service from answering at all is the test's to see.
  if (answer === undefined) throw (outcome.error as Error).cause ?? outcome.error
  if (others.length > 0) throw new Error('The client has sent a request more than once')
  if (isJson(answer.response) && answer.text !== '')
    mustMatch(answer.response, JSON.parse(answer.text), outcome)
  return answer
}

export const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') === true

/** Throws when the client returns anything else than what was answered. */
function mustMatch(
  { status, headers }: Response,
  body: { success?: boolean; data?: unknown; error?: string },
  { data, error }: { data: unknown; error: unknown },
): void {
  const seconds = headers.get('retry-after')
  const expected = body.success
    ? { data: body.data }
    : {
        status,
        code: headers.get('x-error-code'),
        message: body.error,
        requestId: headers.get('x-request-id'),
        ...(seconds !== null && { retryAfterMs: Number(seconds) * 1000 }),
      }
  const said =
    error instanceof LeadIntakeError
      ? {
          status: error.status,
          code: error.code,
          // It may say more: send.test.ts.
          message: error.message.replace(/^(Insufficient permissions): .+/, '$1'),
          requestId: error.requestId,
          ...(error instanceof TemporaryError && seconds !== null && { retryAfterMs: error.retryAfterMs }),
        }
      : { data }
  const [wanted, got] = [expected, said].map((one) => JSON.stringify(one))
  if (wanted !== got) throw new Error(`The client returns ${got} for ${wanted}`)
}
