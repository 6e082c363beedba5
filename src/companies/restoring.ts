// Whether a store is being restored, while its object lives: asked before each batch, and read once from the object beside
// the store.

import { storeRestoring } from '../database/database.ts'
import {
  beginRestore,
  goOnRestoring,
  isUnderWay,
  type Restorable,
  type RestoreRequest,
  type RestoreResult,
} from './restore-store.ts'

/** Within the time that the cron waits. */
const runMs = 15_000

export class Restoring {
  readonly #store: () => Restorable
  /** Undefined: not read yet. */
  #isUnderWay: Promise<boolean> | undefined = undefined
  #goingOn: Promise<boolean> | undefined = undefined

  constructor(store: () => Restorable) {
    this.#store = store
  }

  async isUnderWay(): Promise<boolean> {
    for (;;) {
      this.#isUnderWay ??= this.#store().beside.readRestore().then(isUnderWay)
      const asked = this.#isUnderWay
      try {
        const answer = await asked
        // A restore that has begun meanwhile is not missed.
        if (asked === this.#isUnderWay) return answer
      } catch (error) {
        if (asked === this.#isUnderWay) this.#isUnderWay = undefined
        throw error
      }
    }
  }

  /** Continues a restore. False: it is not done yet. */
  goOn(): Promise<boolean> {
    this.#goingOn ??= this.#run().finally(() => {
      this.#goingOn = undefined
    })
    return this.#goingOn
  }

  async #run(): Promise<boolean> {
    if (!(await this.isUnderWay())) return true
    const isDone = await goOnRestoring(this.#store(), Date.now() + runMs)
    if (isDone) this.#isUnderWay = undefined
    return isDone
  }

  /** Throws until it is done; the next try finds it. */
  async carryOut(request: RestoreRequest): Promise<RestoreResult> {
    const close = () => {
      this.#isUnderWay = Promise.resolve(true)
    }
    try {
      const result = await beginRestore(this.#store(), request, close)
      if (result !== null) return result
    } finally {
      // Whether it has begun when that failed, only the object beside knows.
      this.#isUnderWay = undefined
    }
    if (!(await this.goOn())) throw new Error(storeRestoring)
    return this.carryOut(request)
  }
}
