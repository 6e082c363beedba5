// When an agent counts as failing: its leases expire without a report, one claim after the other, like those of a
// process that crashes after each claim. It would use up the attempts of every lead, and no phone would ring. Pure
// data.

/** So many leases in a row, of at least so many different claims, must have ended as `unknown`. */
export const failingLeases = 20
export const failingClaims = 5

/** How long it gets no leads then. After that one claim may lease one lead, the probe. */
export const blockMs = 600_000

/** The longest wait of other processes of the same name while the probe is being called. */
export const probeRetrySeconds = 30

/** An agent's count is deleted when none of its leases has ended as `unknown` for so long. */
export const agentKeptMs = 30 * 86_400_000
