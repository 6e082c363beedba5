// The envelope (D1): three keys and no more.
import { expect, it } from 'vitest'
import { failure, success, successOf, successParts } from '../../../src/base/http/envelope.ts'

it('The envelope of a success carries the data and a null error', () => {
  expect(success({ leadId: 'a' }).body).toBe('{"success":true,"data":{"leadId":"a"},"error":null}')
})

it('The envelope of a failure carries the error and null data', () => {
  expect(failure({ kind: 'not_found' }).body).toBe('{"success":false,"data":null,"error":"Not found"}')
})

it('The envelope of a failed health check carries the error and the data', () => {
  expect(JSON.parse(String(failure({ kind: 'service_unavailable' }, { status: 'error' }).body))).toEqual({
    success: false,
    data: { status: 'error' },
    error: 'Service temporarily unavailable',
  })
})

it('The envelope is the same when written piece by piece', () => {
  const data = { leads: [], count: 0 }
  const text = JSON.stringify(data)
  expect(successOf(text).body).toBe(success(data).body)
  expect(successParts.before + text + successParts.after).toBe(success(data).body)
})
