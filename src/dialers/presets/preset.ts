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
  readonly variables: readonly PresetField[]
  readonly secrets: readonly PresetField[]
  readonly template: Template
}

export const field = (name: string, title: string, help: string, isRequired = true): PresetField => ({
  name,
  title,
  isRequired,
  help,
})
