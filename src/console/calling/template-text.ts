// A template of one's own as text: whether it is JSON, which variables and secrets it names, and where in the text the
// member stands that the service names in an error. Pure.
import { type Uses, usesOf } from '../../channels/dialers/template/template-uses.ts'
import type { Dialer, DialerPreset } from '../../sdk/src/models.ts'

type Template = NonNullable<Dialer['template']>

export const textOf = (template: object | null): string => JSON.stringify(template, null, 2)

/** What is wrong, and which part of the text, from and until. */
export type Wrong = { readonly problem: string; readonly from: number; readonly until: number }

export function readText(text: string): { readonly template: Template } | Wrong {
  try {
    return { template: JSON.parse(text) }
  } catch (error) {
    const at = Number(/position (\d+)/.exec(String(error))?.[1] ?? text.length)
    return { problem: `Line ${lineAt(text, at)}: this is no JSON`, from: at, until: at + 1 }
  }
}

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length

/** `message`: of the service, which begins with the place: `template.status.url must be an https:// URL`. */
export function wrongAt(text: string, message: string): Wrong {
  const [place = ''] = /^template\S*/.exec(message) ?? []
  const places = placesIn(text)
  const steps = place.match(/[^.[\]]+|\[\d+\]/g) ?? []
  const known = steps.map((_, index) => nameOf(steps.slice(0, steps.length - index)))
  const [from, until] = known.flatMap((name) => places.get(name) ?? []).slice(0, 2)
  if (from === undefined || until === undefined) return { problem: message, from: 0, until: 0 }
  return { problem: `Line ${lineAt(text, from)}: ${message.replace(/^template\./, '')}`, from, until }
}

const nameOf = (steps: readonly string[]) =>
  steps.reduce((name, step) => (step.startsWith('[') ? name + step : `${name}.${step}`))

/** Where each member of JSON stands, with its name: by `template.notDialled[2].when`. */
function placesIn(text: string): ReadonlyMap<string, readonly [from: number, until: number]> {
  const places = new Map<string, readonly [number, number]>()
  const token = /\s*("(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+)/y
  let start = 0
  let end = 0
  /** Empty: the end of the text. */
  const next = (): string => {
    const found = token.exec(text)?.[1] ?? ''
    end = token.lastIndex
    start = end - found.length
    return found
  }
  const read = (first: string, name: string, from: number) => {
    const close = first === '{' ? '}' : first === '[' ? ']' : null
    let index = 0
    for (let item = close && next(); item && item !== close; item = next()) {
      if (item === ',') continue
      const at = start
      if (close === ']') read(item, `${name}[${index++}]`, at)
      else {
        // Behind the colon.
        next()
        read(next(), `${name}.${JSON.parse(item)}`, at)
      }
    }
    places.set(name, [from, end])
  }
  read(next(), 'template', start)
  return places
}

/** What is to be entered beside a template, as a preset says it. Null while the text is none. */
export function fieldsOfText(text: string): Pick<DialerPreset, 'variables' | 'secrets'> | null {
  let uses: Uses
  try {
    uses = usesOf(JSON.parse(text))
  } catch {
    return null
  }
  const fields = (names: ReadonlySet<string>) =>
    [...names].map((name) => ({ name, title: name, help: 'The template names it.', isRequired: true }))
  return { variables: fields(uses.variables), secrets: fields(uses.secrets) }
}
