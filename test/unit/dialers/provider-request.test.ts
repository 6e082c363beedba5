// A request to a voice provider: how much of its answer is read, and that no secret is left in it.
import { expect, it } from 'vitest'
import { limits } from '../../../src/base/limits.ts'
import { sendRequest } from '../../../src/channels/dialers/provider-request.ts'

const secret = 'sk-live/é"1234'
const toSend = { method: 'GET', url: 'https://voice.example.com/calls/1', headers: {}, body: null }
async function answerTo(
  text: string,
  status = 200,
  headers: Record<string, string> = {},
  secrets = { key: secret },
) {
  const send = async () => new Response(text, { status })
  return await sendRequest(send, { ...toSend, headers }, 1000, secrets)
}

const escaped = [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
it.each([
  ['as it is', JSON.stringify(secret)],
  ['with an escaped slash', JSON.stringify(secret).replace('/', '\\/')],
  ['with every letter escaped', `"${escaped}"`],
  ['within a text', `"Bearer ${escaped}!"`],
])('A secret that a provider echoes is cut out of the parsed texts: %s', async (_, json) => {
  const answer = await answerTo(`{"list": [{"echo": ${json}, "other": 1}], "twice": ${json}}`)
  expect(JSON.stringify(answer?.body)).not.toContain('1234')
  expect(answer?.body).toMatchObject({ list: [{ echo: expect.stringContaining('…'), other: 1 }] })
})

it('A secret is cut out of names, of an answer that is a text, and of one nested without end', async () => {
  expect((await answerTo(`{"a": 1, ${JSON.stringify(secret)}: 2}`))?.body).toEqual({ a: 1, '…': 2 })
  expect((await answerTo(JSON.stringify(secret)))?.body).toBe('…')
  const deep = await answerTo(`${'['.repeat(50_000)}${JSON.stringify(secret)}${']'.repeat(50_000)}`)
  let innermost = deep?.body
  while (Array.isArray(innermost)) innermost = innermost[0]
  expect(innermost).toBe('…')
})

it('The credentials of a header are cut out, too, and the longer of two secrets first', async () => {
  const headers = { authorization: 'Basic dXNlcjpwYXNz' }
  expect((await answerTo('{"echo": "dXNlcjpwYXNz"}', 200, headers))?.body).toEqual({ echo: '…' })
  const both = { key: 'abcdefgh', longer: 'abcdefgh-12' } as unknown as { key: string }
  expect((await answerTo('{"echo": "abcdefgh-12"}', 200, {}, both))?.body).toEqual({ echo: '…' })
})

it('A short secret may be part of anything, and an empty one of everything: both stay', async () => {
  const answer = await answerTo('{"status": "ended"}', 200, {}, { key: 'ended' })
  expect(answer?.body).toEqual({ status: 'ended' })
  expect((await answerTo('{"status": "ended"}', 200, {}, { key: '' }))?.body).toEqual({ status: 'ended' })
})

const maxBytes = limits.dialerAnswerMaxBytes
it.each([
  ['a mebibyte', `"${'x'.repeat(maxBytes - 2)}"`, null],
  [
    'a byte more',
    `"${'x'.repeat(maxBytes - 1)}"`,
    'the answer is larger than 1024 KiB, or has too many parts',
  ],
  ['as many parts as fit', `[${Array(62_499).fill('{}').join()}]`, null],
  [
    'a part more',
    `[${Array(62_500).fill('{}').join()}]`,
    'the answer is larger than 1024 KiB, or has too many parts',
  ],
])('An answer is read up to a size: %s', async (_, text, unread) => {
  const answer = await answerTo(text)
  expect(answer?.unread).toBe(unread)
  expect(answer?.body === undefined).toBe(unread !== null)
})

it.each([301, 302, 307, 308])('A redirect (%i) is not followed, and the answer says so', async (status) => {
  expect(await answerTo('{"message": "moved"}', status)).toMatchObject({
    status,
    unread: 'redirects are not followed',
  })
})
