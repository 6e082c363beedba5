// Receives webhooks on this machine: accepts what the official package of Standard Webhooks verifies, and passes on
// each event as it arrives.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { CommandFailed } from '../command-failed.ts'

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** `isRepeated`: it was delivered before, since an answer was lost, or a replay was requested. */
type ReceivedEvent = { readonly id: string; readonly isRepeated: boolean; readonly text: string }

const maxBytes = 8 * 1024 * 1024

/** `refuse` gets the reason for each refused request. Throws CommandFailed when the port is not available. */
export async function openReceiver(
  port: number,
  take: (event: ReceivedEvent) => void,
  refuse: (reason: string) => void,
) {
  const seen = new Set<string>()
  const { promise: verifier, resolve } = Promise.withResolvers<Webhook>()
  const server = createServer(async (request, response) => {
    const problem = await receive(request).catch((error: Error) => error.message)
    if (problem !== null) refuse(problem)
    response.writeHead(problem === null ? 204 : 400).end()
  })

  async function receive(request: IncomingMessage): Promise<string | null> {
    const text = await readText(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    ;(await verifier).verify(text, headers)
    const id = headers['webhook-id'] ?? ''
    take({ id, isRepeated: seen.has(id), text })
    seen.add(id)
    return null
  }

  await once(server.listen(port, '127.0.0.1'), 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandFailed(`cannot listen on port ${port}: ${code}`)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Sets the secret to verify with. Until then, senders wait. */
    expect: (secret: string) => resolve(new Webhook(secret)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Error('the body is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
