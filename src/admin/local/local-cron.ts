// The minute's cron of the local server, which wrangler does not run by itself: it offers an address that does
// (wrangler.toml has the deployed one). What is done by the minute is the Worker's to say, as is what failed of it.
const minuteMs = 60_000

/** From now on, until this process ends: leases may have run out while nothing was served. */
export function runCronByTheMinute(base: string): void {
  const run = () => {
    // While the server reloads, nothing answers; a minute later it will.
    fetch(`${base}/cdn-cgi/local/scheduled`, { signal: AbortSignal.timeout(minuteMs) }).catch(() => undefined)
  }
  run()
  setInterval(run, minuteMs)
}
