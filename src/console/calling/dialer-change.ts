// The fields of the form for a dialer, and what to send for what was entered. Pure.
import type { Dialer, DialerPreset } from './dialer-requests.ts'

/** The choice that is no dialer. */
export const ownAgents = ''
const defaultMaxLive = 5

export type Values = {
  /** A preset, `custom`, or `ownAgents`. */
  readonly who: string
  readonly enabled: boolean
  readonly maxLive: string
  /** Of each preset, by `nameOf`: what was entered for one stays when another is looked at. */
  readonly [field: string]: string | boolean
}

export type Kind = 'variables' | 'secrets'
export const kinds: readonly Kind[] = ['variables', 'secrets']

export const nameOf = (preset: string, kind: Kind, field: string) => `${preset}.${kind}.${field}`

/** Secrets are not known: their fields are empty until a new one is entered. */
export function valuesOf(dialer: Dialer | null, presets: readonly DialerPreset[]): Values {
  const fields = presets.flatMap((preset) =>
    kinds.flatMap((kind) =>
      preset[kind].map(({ name }): [string, string] => {
        const isSaved = kind === 'variables' && preset.name === dialer?.preset
        return [nameOf(preset.name, kind, name), (isSaved && dialer.variables[name]) || '']
      }),
    ),
  )
  return {
    ...Object.fromEntries(fields),
    who: dialer?.preset ?? ownAgents,
    enabled: dialer?.enabled ?? true,
    maxLive: String(dialer?.maxLive ?? defaultMaxLive),
  }
}

/** The edits alone, of a dialer whose preset stays; else all of it. What is wrong is sent as it is: the service says why. */
export function changeOf(
  values: Values,
  edited: Partial<Values>,
  isSame: boolean,
  preset: DialerPreset | undefined,
): object {
  const { enabled, maxLive } = isSame ? edited : values
  const textsOf = (kind: Kind) =>
    Object.fromEntries(
      (preset?.[kind] ?? []).flatMap(({ name }) => {
        const text = (isSame ? edited : values)[nameOf(values.who, kind, name)]
        if (text === undefined || (text === '' && !isSame)) return []
        return [[name, text === '' ? null : text]]
      }),
    )
  const change = { enabled, maxLive: /^\d+$/.test(maxLive ?? '') ? Number(maxLive) : maxLive }
  const ofPreset = { variables: textsOf('variables'), secrets: textsOf('secrets') }
  return { ...change, ...(!isSame && { preset: values.who }), ...(preset && ofPreset) }
}
