// The floor, far from home.
import floor from '../floor/worker.ts'
import { farFromHome } from './far-from-home.ts'

export { FloorLimiter } from '../floor/worker.ts'

export default farFromHome(floor.fetch as never)
