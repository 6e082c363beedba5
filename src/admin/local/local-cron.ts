// Runs the local server's cron every minute, through wrangler's address for it: wrangler does not run it by itself
// (wrangler.toml has the deployed schedule). The Worker decides what it does, and logs failures.
const minuteMs = 60_000

/** From now on, until this process ends: leases may have expired while the server was stopped. */
export function runCronByTheMinute(base: string): void {
  const run = () => {
    const signal = AbortSignal.timeout(minuteMs)
    // There is no answer while the server reloads; a minute later there is.
    fetch(`${base}/cdn-cgi/local/scheduled`, { signal }).catch(() => undefined)
  }
  run()
  setInterval(run, minuteMs)
}
