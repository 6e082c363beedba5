// When an agent counts as failing: its leases end without a report, one claim after the other, as those of a process that
// crashes after each claim do. It would use up the attempts of every lead, and no phone would ring. Pure data.

/** So many leases in a row, of at least so many different claims, must have ended as `unknown`. */
export const failingLeases = 20
export const failingClaims = 5

/** How long it gets no leads then. After that one claim of one lead is let through. */
export const blockMs = 600_000

/** The longest wait of other processes of the same name while that lead is being called. */
export const probeRetrySeconds = 30

/** What is known of an agent is forgotten when none of its leases has ended as `unknown` for so long. */
export const agentKeptMs = 30 * 86_400_000
