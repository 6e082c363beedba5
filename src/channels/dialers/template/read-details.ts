// What a report keeps of a provider's answer, cut so that no report is refused for its size; and what a person reads
// of a refusal, without secrets and digits. Pure.
import { limits } from '../../../base/limits.ts'
import { firstAt } from './pointer.ts'
import type { Answer } from './read-start.ts'
import { type Cost, listOf, type Pointers, type Texts } from './template.ts'

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Null: nothing is there. The smallest come first when all do not fit; a text is shortened, anything else left out. */
export function readDetails(
  pointersOf: Readonly<Record<string, Pointers>>,
  body: unknown,
  variables: Texts,
  maxBytes: number = limits.detailsMaxBytes,
): Readonly<Record<string, unknown>> | null {
  const found = Object.entries(pointersOf)
    .map(([name, pointers]) => [name, firstAt(body, listOf(pointers), variables)] as const)
    .filter(([, value]) => value !== undefined && isFlatEnough(value))
  let left = maxBytes - '{}'.length
  const kept = new Map<string, unknown>()
  const bySize = [...found].sort(([, one], [, other]) => sizeOf(one) - sizeOf(other))
  for (const [name, value] of bySize) {
    const nameBytes = sizeOf(name) + ':,'.length
    const fitting = shorten(value, left - nameBytes)
    if (fitting === undefined) continue
    kept.set(name, fitting)
    left -= nameBytes + sizeOf(fitting)
  }
  const inOrder = found.filter(([name]) => kept.has(name)).map(([name]) => [name, kept.get(name)])
  return inOrder.length === 0 ? null : Object.fromEntries(inOrder)
}

/**
 * What the call has cost, as details name it: decimal text in whole units. None: no number is there. Some providers
 * write what they take as a negative number.
 */
export function readCost(cost: Cost | null | undefined, body: unknown, variables: Texts): Texts {
  if (cost == null) return {}
  const found = firstAt(body, listOf(cost.at), variables)
  const amount = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  if (typeof amount !== 'number' || !Number.isFinite(amount) || Math.abs(amount) >= 1e9) return {}
  const units = Math.abs(amount) / (cost.unit === 'cents' ? 100 : 1)
  const { currency: given } = cost
  const currency = given.startsWith('/') ? firstAt(body, [given], variables) : given
  return {
    costAmount: units.toFixed(6).replace(/\.?0+$/, ''),
    ...(typeof currency === 'string' &&
      /^[a-z]{3}$/i.test(currency) && { costCurrency: currency.toUpperCase() }),
  }
}

/** What is nested deeper is left out. */
function isFlatEnough(value: unknown, levels: number = limits.detailsMaxDepth): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isFlatEnough(member, levels - 1))
}

function shorten(value: unknown, maxBytes: number): unknown {
  if (sizeOf(value) <= maxBytes) return value
  if (typeof value !== 'string' || maxBytes <= '""'.length) return undefined
  let [shortest, longest] = [0, Math.min(value.length, maxBytes)]
  while (shortest < longest) {
    const middle = Math.ceil((shortest + longest) / 2)
    if (sizeOf(value.slice(0, middle).toWellFormed()) <= maxBytes) shortest = middle
    else longest = middle - 1
  }
  return shortest === 0 ? undefined : value.slice(0, shortest).toWellFormed()
}

type ProviderProblem = { readonly code: string | null; readonly message: string | null }

/** Where providers have these. ElevenLabs has both in `detail`, Telnyx in the first of `errors`. */
const codeAt = ['/code', '/error/code', '/error', '/detail/status', '/errors/0/code']
const messageAt = [
  ...['/message', '/error/message', '/error_message', '/detail/message', '/detail/0/msg'],
  ...['/errors/0/detail', '/errors/0/message', '/detail'],
]
const codePattern = /^[\w.-]{1,64}$/
const messageMaxChars = 200

/** Providers quote keys, numbers and names: secrets are cut out, then digits masked. */
export function describeProblem(
  { body, unread }: Pick<Answer, 'body' | 'unread'>,
  secrets: readonly string[],
): ProviderProblem {
  const given = secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length)
  const cutOut = (text: string) => given.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  const code = firstAt(body, codeAt, {})
  const codeText = typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 65) : ''
  const said = firstAt(body, messageAt, {})
  const texts = (Array.isArray(said) ? said.slice(0, maxTexts) : [said]).filter(
    (one) => typeof one === 'string',
  )
  const message = texts.length === 0 ? null : maskDigits(firstChars(cutOut(texts.join('; '))))
  return {
    code: codePattern.test(codeText) && cutOut(codeText) === codeText ? codeText : null,
    message: unread ?? message,
  }
}

const maxTexts = 10

/** A character takes up to two units, and a provider may send a megabyte of them. */
const firstChars = (text: string) =>
  [...text.slice(0, 2 * messageMaxChars).toWellFormed()].slice(0, messageMaxChars).join('')

export const maskDigits = (text: string): string => text.replace(/\p{Nd}/gu, '#')
