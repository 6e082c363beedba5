// What the service says of itself outside of the API: whom to tell of a vulnerability.
import { expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { expectFailure } from '../../support/http/expectations.ts'

const path = '/.well-known/security.txt'
const expires = '2027-11-26T00:00:00Z'
const get = (bindings: object) => api(null, { bindings }).request('GET', path)

it('The service names whom to tell of a vulnerability, and until when that holds', async () => {
  for (const [contact, uri] of [
    ['https://acme.com/report', 'https://acme.com/report'],
    ['security@acme.com', 'mailto:security@acme.com'],
  ]) {
    const answer = await get({ SECURITY_CONTACT: contact, SECURITY_EXPIRES: expires })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.text).toBe(`Contact: ${uri}\nExpires: ${expires}\nPreferred-Languages: en\n`)
  }
})

it('Without a contact or its expiry there is no such file', async () => {
  const contact = { SECURITY_CONTACT: 'a@b.c' }
  for (const bindings of [
    {},
    contact,
    { SECURITY_EXPIRES: expires },
    { ...contact, SECURITY_EXPIRES: 'soon' },
  ])
    expectFailure(await get(bindings), 404, 'Not found')
})
