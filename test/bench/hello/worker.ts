// A route that says hello: Hono and nothing else.
import { Hono } from 'hono'

const app = new Hono()
app.get('/hello', (c) => c.json({ hello: 'world' }))

export default app
