// All presets, and what a customer must enter for one. Pure.
import { type Uses, usesOf } from '../template/template-uses.ts'
import { bland } from './bland.ts'
import { bolna } from './bolna.ts'
import { elevenlabs } from './elevenlabs.ts'
import type { Preset, PresetField } from './preset.ts'
import { pretend } from './pretend.ts'
import { retell } from './retell.ts'
import { telnyx } from './telnyx.ts'
import { twilio } from './twilio.ts'
import { ultravox } from './ultravox.ts'
import { vapi } from './vapi.ts'

const table = [
  ...[vapi, retell, twilio, telnyx, elevenlabs, bland, bolna, ultravox],
  pretend,
] as const satisfies readonly Preset[]

export type PresetName = (typeof table)[number]['name']
export const presets: readonly (Preset & { readonly name: PresetName })[] = table

const namesOf = (fields: readonly PresetField[]) => fields.map(({ name }) => name)

/** As for a template of a customer; but a preset says itself which variables it needs. */
export function usesOfPreset({ variables, secrets, template }: Preset): Uses {
  return {
    requiredVariables: new Set(namesOf(variables.filter(({ isRequired }) => isRequired))),
    variables: new Set([...namesOf(variables), ...usesOf(template).variables]),
    headerVariables: new Set(usesOf(template).headerVariables),
    secrets: new Set(namesOf(secrets)),
  }
}
