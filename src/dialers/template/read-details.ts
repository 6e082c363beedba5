// What a report keeps of a provider's answer, cut so that no report is refused for its size; and what a person reads
// of a refusal, without secrets and digits. Pure.
import { limits } from '../../limits.ts'
import { firstAt } from './pointer.ts'
import { listOf, type Pointers, type Texts } from './template.ts'

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
    .filter(([, value]) => value !== undefined)
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

const codePattern = /^[\w.-]{1,64}$/
const messageMaxChars = 200

/** Providers quote keys, numbers and names: secrets are cut out, then digits masked. */
export function describeProblem(body: unknown, secrets: readonly string[]): ProviderProblem {
  const cutOut = (text: string) =>
    [...secrets]
      .sort((one, other) => other.length - one.length)
      .reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '…')), text)
  const code = firstAt(body, ['/code', '/error/code', '/error'], {})
  const codeText = typeof code === 'string' || typeof code === 'number' ? String(code) : ''
  const said = firstAt(body, ['/message', '/error/message', '/error_message', '/detail'], {})
  const message = Array.isArray(said) ? said.filter((one) => typeof one === 'string').join('; ') : said
  return {
    code: codePattern.test(codeText) && cutOut(codeText) === codeText ? codeText : null,
    message:
      typeof message === 'string'
        ? [
            ...cutOut(message)
              .toWellFormed()
              .replace(/\p{Nd}/gu, '#'),
          ]
            .slice(0, messageMaxChars)
            .join('')
        : null,
  }
}
