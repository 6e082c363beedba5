// What a planted fault is: a change of the source by which a promise is broken, and what that means for people.
import type { Planted } from '../platform/isolate.ts'

export type PlantedFault = Planted & {
  readonly story: string
  /** Why no world finds it. */
  readonly unfound?: string
  /** `npm test` looks for it, with the worlds of its fixed seeds. */
  readonly isOfTest?: true
}
