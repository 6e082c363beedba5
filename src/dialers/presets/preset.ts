// A preset: a template that is checked in, and what a customer enters for it. Pure.
import type { Template } from '../template/template.ts'

export type PresetField = {
  readonly name: string
  readonly title: string
  readonly isRequired: boolean
  readonly help: string
}

export type Preset = {
  readonly name: string
  readonly title: string
  /** Somebody has called with it for real. Else it is built from the documentation. */
  readonly isProven: boolean
  readonly variables: readonly PresetField[]
  /** Of a variable that has few values. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  readonly secrets: readonly PresetField[]
  readonly template: Template
}

export const field = (name: string, title: string, help: string, isRequired = true): PresetField => ({
  name,
  title,
  isRequired,
  help,
})
