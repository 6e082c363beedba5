// What a call has cost, as its details say, and amounts of money as decimal text in whole units. Stored are millionths
// of the currency's unit. Pure.

type Cost = readonly [micros: number | null, currency: string | null]

const microsPerUnit = 1_000_000
const unknown: Cost = [null, null]
const decimal = /^\d{1,9}(?:\.\d+)?$/

/** `details`: JSON text of an object. `costAmount` is a number or decimal text, without a sign, below a billion. */
export function costOf(details: string | null): Cost {
  if (!details?.includes('costAmount')) return unknown
  const { costAmount, costCurrency } = JSON.parse(details) as Readonly<Record<string, unknown>>
  const isText = typeof costAmount === 'string' && decimal.test(costAmount)
  const amount = typeof costAmount === 'number' || isText ? Number(costAmount) : Number.NaN
  if (!(amount >= 0 && amount < 1e9)) return unknown
  const isCurrency = typeof costCurrency === 'string' && /^[a-z]{3}$/i.test(costCurrency)
  return [Math.round(amount * microsPerUnit), isCurrency ? costCurrency.toUpperCase() : null]
}

/** `0.045`, `12`: no zeros at the end. */
export function amountOf(micros: number): string {
  const [whole, unit] = [BigInt(Math.round(micros)), BigInt(microsPerUnit)]
  const decimals = String(whole % unit)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return decimals === '' ? String(whole / unit) : `${whole / unit}.${decimals}`
}
