// All promises. A world that breaks one names it.
import { acknowledgedIsKept } from './acknowledged-is-kept.ts'
import { atTheRightTime } from './at-the-right-time.ts'
import { nobodyIsCalledWhoSaidNo } from './nobody-is-called-who-said-no.ts'
import { once } from './once.ts'
import { oneCallAtATime } from './one-call-at-a-time.ts'
import type { Promised } from './promise.ts'

export const promises: readonly Promised[] = [
  acknowledgedIsKept,
  nobodyIsCalledWhoSaidNo,
  oneCallAtATime,
  atTheRightTime,
  once,
]
