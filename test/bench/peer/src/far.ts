// The peer, far from home.
import { farFromHome } from '../../far/far-from-home.ts'
import peer from './index.ts'

export { DurableObjectRateLimiter } from './index.ts'

export default farFromHome(peer.fetch as never)
