// Who works, and for whom. It goes along with promises (AsyncLocalStorage).
import type { Draws } from '../draws.ts'
import type { PlannedFault } from '../faults.ts'
import type { Exchange } from '../observed.ts'

/** The time between an object's first call and its death. */
export type Life = {
  /** Gives it what has arrived, once its gate is open. */
  readonly take: (run: () => void) => void
  /** Once all that it has written is durable. */
  readonly afterWrites: (run: () => void) => void
}

/** Of a request, an alarm, the cron. */
export type Context = {
  readonly name: string
  /** For ids and the like, as the Worker draws them. */
  readonly ids: Draws
  /** How long whatever is outside takes. */
  readonly delays: Draws
  /** The request that it works for. Null: none does. */
  readonly exchange: Exchange | null
  /** What goes wrong at its steps. */
  readonly faults: readonly PlannedFault[]
  /** How many steps of each kind it has taken. */
  readonly steps: Map<string, number>
  /** The life of the object in which it works. Null: in the Worker. */
  readonly life: Life | null
}
