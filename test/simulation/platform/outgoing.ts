// What leaves an isolate and is answered: a batch to D1, a call of an object, a fetch. Here is what goes wrong on the
// way.
import { type FaultName, type FaultPlace, faults } from '../faults.ts'
import type { Agenda } from './agenda.ts'
import type { Context } from './context.ts'

export type Outgoing = ReturnType<typeof createOutgoing>

export function createOutgoing(
  agenda: Agenda,
  onFault: (name: FaultName) => void,
  onSent: (context: string, count: number) => void,
) {
  /**
   * `work` is carried out there, after a while, and answered after another. `notBeforeMs`: of the world, so that calls
   * of one stub arrive in their order.
   */
  function call<Result>(
    place: FaultPlace,
    work: (context: Context, step: number) => Result | Promise<Result>,
    notBeforeMs = 0,
  ): Promise<Result> & { readonly arrivesAtMs: number } {
    const context = agenda.context()
    const delayMs = Math.max(agenda.delayMs(context), notBeforeMs - agenda.worldMs())
    const [fault, step] = [faultAt(context, place), context.steps.get(place) ?? 0]
    const answered = new Promise<Result>((resolve, reject) => {
      const answer = (settle: () => void) =>
        agenda.arrive(context, settle, agenda.delayMs(context) + (fault?.delayMs ?? 0))
      const fail = () => answer(() => reject(fault?.error?.()))
      const carryOut = async () => {
        if (fault !== undefined) onFault(fault.name)
        if (fault?.when === 'before') {
          fail()
          return
        }
        try {
          const result = await agenda.within(context, () => work(context, step))
          if (fault?.when === 'after') fail()
          else answer(() => resolve(result))
        } catch (error) {
          answer(() => reject(error))
        }
      }
      const send = () => agenda.after(delayMs, () => void carryOut())
      if (context.life === null) send()
      else context.life.afterWrites(send)
    })
    return Object.assign(answered, { arrivesAtMs: agenda.worldMs() + delayMs })
  }

  function faultAt({ steps, faults: planned }: Context, place: FaultPlace) {
    const step = (steps.get(place) ?? 0) + 1
    steps.set(place, step)
    const here = planned.find((one) => faults[one.name]?.place === place && one.step === step)
    return here === undefined ? undefined : { ...faults[here.name], name: here.name }
  }

  /** Of statements and requests: how many the work has sent by now. */
  const sent = new WeakMap<Context['steps'], number>()
  function count(more: number): void {
    const { name, steps } = agenda.context()
    const all = (sent.get(steps) ?? 0) + more
    sent.set(steps, all)
    onSent(name, all)
  }

  return { call, faultAt, onFault, count }
}
