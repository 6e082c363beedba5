// A preset: a template that is checked in, and what a customer enters for it. Pure.
import type { Template, Texts } from '../template/template.ts'

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
  /** Why the value of a variable cannot be, or null. */
  readonly findProblem?: (variables: Texts) => string | null
  readonly secrets: readonly PresetField[]
  readonly template: Template
}

export const field = (name: string, title: string, help: string, isRequired = true): PresetField => ({
  name,
  title,
  isRequired,
  help,
})
