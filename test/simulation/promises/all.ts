// All promises. A world that breaks one names it.

import { aNoIsExplained } from './a-no-is-explained.ts'
import { aRightLasts } from './a-right-lasts.ts'
import { acknowledgedIsKept } from './acknowledged-is-kept.ts'
import { addsUp } from './adds-up.ts'
import { asAcknowledged } from './as-acknowledged.ts'
import { asExplained } from './as-explained.ts'
import { asItWas } from './as-it-was.ts'
import { asItWasSet } from './as-it-was-set.ts'
import { asItsCallsSay } from './as-its-calls-say.ts'
import { atTheRightTime } from './at-the-right-time.ts'
import { byItsConsent } from './by-its-consent.ts'
import { countedByGroup } from './counted-by-group.ts'
import { dialersCall } from './dialers-call.ts'
import { eachRowByItself } from './each-row-by-itself.ts'
import { eachToHisOwn } from './each-to-his-own.ts'
import { endsAsItsProviderKnows } from './ends-as-its-provider-knows.ts'
import { explainedAsItIs } from './explained-as-it-is.ts'
import { forgotten } from './forgotten.ts'
import { givenInOrder } from './given-in-order.ts'
import { heardInTheCall } from './heard-in-the-call.ts'
import { hungUpAfterANo } from './hung-up-after-a-no.ts'
import { inItsPlace } from './in-its-place.ts'
import { itEnds } from './it-ends.ts'
import { noFalseAlarm } from './no-false-alarm.ts'
import { nobodyIsCalledWhoSaidNo } from './nobody-is-called-who-said-no.ts'
import { nobodyWaitsInVain } from './nobody-waits-in-vain.ts'
import { nothingToGive } from './nothing-to-give.ts'
import { once } from './once.ts'
import { oneCallAtATime } from './one-call-at-a-time.ts'
import { oneOpenCall } from './one-open-call.ts'
import type { Promised } from './promise.ts'
import { refusedChangesNothing } from './refused-changes-nothing.ts'
import { rests } from './rests.ts'
import { ringingIsNoAttempt } from './ringing-is-no-attempt.ts'
import { ringsInTime } from './rings-in-time.ts'
import { ringsOnce } from './rings-once.ts'
import { roundsAreSmall } from './rounds-are-small.ts'
import { statisticsSaySo } from './statistics-say-so.ts'
import { toldInTheEnd } from './told-in-the-end.ts'
import { toldOnceInOrder } from './told-once-in-order.ts'
import { whatHappensIsLogged } from './what-happens-is-logged.ts'
import { whoRingsIsKnown } from './who-rings-is-known.ts'
import { wholeOrNotAtAll } from './whole-or-not-at-all.ts'
import { withinItsBounds } from './within-its-bounds.ts'

export const promises: readonly Promised[] = [
  acknowledgedIsKept,
  asAcknowledged,
  refusedChangesNothing,
  wholeOrNotAtAll,
  nobodyIsCalledWhoSaidNo,
  heardInTheCall,
  hungUpAfterANo,
  oneCallAtATime,
  withinItsBounds,
  givenInOrder,
  nothingToGive,
  nobodyWaitsInVain,
  dialersCall,
  atTheRightTime,
  ringsInTime,
  byItsConsent,
  once,
  ringsOnce,
  asItWas,
  asItsCallsSay,
  inItsPlace,
  oneOpenCall,
  addsUp,
  statisticsSaySo,
  countedByGroup,
  endsAsItsProviderKnows,
  roundsAreSmall,
  explainedAsItIs,
  aNoIsExplained,
  asExplained,
  eachToHisOwn,
  toldOnceInOrder,
  toldInTheEnd,
  whatHappensIsLogged,
  forgotten,
  itEnds,
  noFalseAlarm,
  whoRingsIsKnown,
  ringingIsNoAttempt,
  rests,
  asItWasSet,
  aRightLasts,
  eachRowByItself,
]
