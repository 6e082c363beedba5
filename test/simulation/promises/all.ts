// All promises. A world that breaks one names it.
import { acknowledgedIsKept } from './acknowledged-is-kept.ts'
import { atTheRightTime } from './at-the-right-time.ts'
import { eachToHisOwn } from './each-to-his-own.ts'
import { itEnds } from './it-ends.ts'
import { nobodyIsCalledWhoSaidNo } from './nobody-is-called-who-said-no.ts'
import { once } from './once.ts'
import { oneCallAtATime } from './one-call-at-a-time.ts'
import type { Promised } from './promise.ts'
import { toldOnceInOrder } from './told-once-in-order.ts'

export const promises: readonly Promised[] = [
  acknowledgedIsKept,
  nobodyIsCalledWhoSaidNo,
  oneCallAtATime,
  atTheRightTime,
  once,
  eachToHisOwn,
  toldOnceInOrder,
  itEnds,
]
