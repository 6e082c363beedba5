// 7c. One round of a dialer, and of a gate, sends at most 40 statements and requests: the platform allows few more.
import type { Promised } from './promise.ts'

const most = 40

export const roundsAreSmall: Promised = {
  name: 'rounds are small',

  onLook: (_, __, { mostInRound }) =>
    mostInRound > most ? `a round of a dialer has sent ${mostInRound} statements and requests` : null,
}
