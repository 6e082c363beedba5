// What a process has used, as Linux shows it in /proc: processor time and memory. Not a number elsewhere.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ticksPerSecond = 100

export function cpuSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same of the threads that still run: exact, but for what those that ended have used. */
export function cpuNanoseconds(pid: number): number {
  let sum = 0
  for (const thread of threadsOf(pid))
    sum += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  return sum
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

export function memoryMib(pid: number): number {
  return statusMib(pid, 'VmRSS')
}

/** Starts a new search for the peak. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Not Linux: peakMib does.
  }
}

export function peakMib(pid: number): number {
  return statusMib(pid, 'VmHWM')
}

function statusMib(pid: number, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(read(`/proc/${pid}/status`))?.[1]) / 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
