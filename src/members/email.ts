// How an e-mail address is compared: ASCII letters in lower case, then byte by byte. No other letter becomes an ASCII
// one, so nobody signs in by one that only looks like another's.
import { createHmac } from 'node:crypto'

export const lowerEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** By which D1 finds a person's companies: keyed, since addresses can be guessed. */
export const hashEmail = (pepper: string, email: string): string =>
  createHmac('sha256', pepper).update(`member\n${email}`).digest('base64url')
