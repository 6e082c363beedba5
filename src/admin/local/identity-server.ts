// `npm start -- --access`: stands where Cloudflare Access does, in front of the local service. It asks for an address
// in place of a sign-in, signs what it says of requests to /console/session, and lets all others through as they are.
// Loopback only: it believes every address.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { sign } from 'hono/jwt'

const audience = 'local'
const protectedPath = '/console/session'
const own = '/cdn-cgi/access'
const cookieName = 'local_access'
const tokenSeconds = 300

/** Variables of the Worker that name it: `name:value`, as wrangler takes them. */
export const variablesOf = (port: number) => [
  `ACCESS_AUD:${audience}`,
  `ACCESS_ISSUER:${issuerOf(port)}`,
  `ACCESS_CERTS:${issuerOf(port)}${own}/certs`,
]

const issuerOf = (port: number) => `http://127.0.0.1:${port}`

/** Listens on `port`, for the service on `servicePort`: requests wait until there is one. */
export function startIdentityServer(port: number, servicePort: number | Promise<number>): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const names = { kid: randomBytes(8).toString('hex'), alg: 'RS256' } as const
  const keys = [{ ...publicKey.export({ format: 'jwk' }), ...names, use: 'sig' }]

  const tokenFor = (email: string) => {
    const seconds = Math.floor(Date.now() / 1000)
    const times = { iat: seconds, nbf: seconds, exp: seconds + tokenSeconds }
    const key = { ...privateKey.export({ format: 'jwk' }), ...names } as JsonWebKey
    return sign({ iss: issuerOf(port), aud: [audience], email, ...times }, key, names.alg)
  }

  const serve = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost')
    // No client may say by itself who it is.
    delete incoming.headers['cf-access-jwt-assertion']
    if (pathname === `${own}/certs`) return sendJson(answer, { keys })
    if (pathname === `${own}/logout`) return sendPage(answer, signedOut, `${cookieName}=; Path=/; Max-Age=0`)
    if (pathname === `${own}/login`) return takeAddress(incoming, answer)
    if (pathname === protectedPath) {
      const email = addressIn(incoming.headers.cookie)
      if (email !== null) incoming.headers['cf-access-jwt-assertion'] = await tokenFor(email)
      else if (incoming.method === 'GET') return sendPage(answer, askFor(pathname + search))
    }
    return passOn(incoming, answer, await servicePort)
  }
  // The machine may not have this kind of address.
  for (const host of ['127.0.0.1', '::1'])
    createServer(serve)
      .on('error', () => {})
      .listen(port, host)
}

function addressIn(cookies = ''): string | null {
  const [, value] = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(cookies) ?? []
  return value === undefined ? null : Buffer.from(value, 'base64url').toString()
}

/** What a person has typed into the page, up to 4 KiB of it. */
async function takeAddress(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) if (text.length < 4096) text += piece
  const form = new URLSearchParams(text)
  const value = Buffer.from(form.get('email') ?? '').toString('base64url')
  const to = form.get('to') ?? ''
  answer.writeHead(303, {
    Location: /^\/console\/session(?:\?|$)/.test(to) ? to : protectedPath,
    'Set-Cookie': `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Lax`,
  })
  answer.end()
}

function passOn(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = incoming
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers)
    found.pipe(answer)
  })
  passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  answer.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

function sendJson(answer: ServerResponse, value: object): void {
  answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

function sendPage(answer: ServerResponse, content: string, cookie?: string): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  answer.writeHead(200, { ...headers, ...(cookie && { 'Set-Cookie': cookie }) })
  answer.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Local sign-in</title>
<style>body{font:16px system-ui;max-width:30rem;margin:15vh auto;padding:0 1rem}</style>${content}</html>`)
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const askFor = (to: string) => `<h1>Local sign-in</h1>
<form method="post" action="${own}/login"><input type="hidden" name="to" value="${escapeHtml(to)}">
<label for="email">E-mail address</label> <input id="email" name="email" type="email" value="ada@example.com" required>
<button>Continue</button></form>
<p>For development: any address is believed. The demo has the member ada@example.com.</p>`

const signedOut = '<h1>Signed out</h1><p><a href="/console">Back to the console</a></p>'
