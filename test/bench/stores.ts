// `node test/bench/stores.ts [endpoint;...] [connections] [rounds]`
import { endpointNames, findEndpoints } from './endpoints.ts'
import { measureStores, measureStoresMemory } from './measures/stores.ts'
import { build } from './runtime.ts'

const [wanted = '', connections = '16', rounds = '9'] = process.argv.slice(2)
const names = wanted.split(';').flatMap((name) => name.trim() || [])
const group = findEndpoints(
  names.length === 0 || wanted === 'memory'
    ? endpointNames.filter((name) => name !== 'refused' && name !== 'health')
    : names,
)
const plan = { rounds: Number(rounds), warmUpMs: 50, durationMs: 300, connections: Number(connections) }
const ours = await build('ours', 'wrangler.toml', 'RateLimiter')
if (wanted !== 'memory') await measureStores(ours, group, plan, console.log)
console.log(JSON.stringify(await measureStoresMemory(ours)))
