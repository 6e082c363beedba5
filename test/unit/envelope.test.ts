// The envelope (D1): three keys and no more.
import { describe, expect, it } from 'vitest'
import { failure, success, successParts, successText } from '../../src/http/envelope.ts'

describe('The envelope', () => {
  it('of a success carries the data and a null error', () => {
    expect(JSON.stringify(success({ leadId: 'a' }))).toBe(
      '{"success":true,"data":{"leadId":"a"},"error":null}',
    )
  })

  it('of a failure carries the error and null data', () => {
    expect(JSON.stringify(failure('Not found'))).toBe('{"success":false,"data":null,"error":"Not found"}')
  })

  it('of a failed health check carries the error and the data', () => {
    expect(failure('Service temporarily unavailable', { status: 'error' })).toEqual({
      success: false,
      data: { status: 'error' },
      error: 'Service temporarily unavailable',
    })
  })

  it('is the same when written piece by piece', () => {
    const data = { leads: [], count: 0 }
    const text = JSON.stringify(data)
    expect(successText(text)).toBe(JSON.stringify(success(data)))
    expect(successParts.before + text + successParts.after).toBe(successText(text))
  })
})
