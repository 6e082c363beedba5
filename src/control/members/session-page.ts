// The pages of signing in. None takes input, or can be framed; the one script runs under a nonce of its answer. Pure.
import type { Answer } from '../../base/http/envelope.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:15vh auto;
padding:0 1.5rem}a{color:LinkText}li{margin:.5rem 0}`

function page(status: number, nonce: string, title: string, content: string): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ].join('; '),
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`,
  }
}

const signOut = '<p><a href="/cdn-cgi/access/logout">Sign in with another address</a></p>'

export const nobodyPage = (nonce: string, email: string): Answer =>
  page(
    403,
    nonce,
    'You are not a member',
    `<p>You signed in as <strong>${escapeHtml(email)}</strong>, which is the address of no member here.</p>
<p>Ask somebody who manages your company in the console to add it under Company, People.</p>${signOut}`,
  )

type Choice = { readonly id: string; readonly name: string }

export const choicePage = (nonce: string, email: string, companies: readonly Choice[]): Answer =>
  page(
    200,
    nonce,
    'Choose a company',
    `<p>You signed in as <strong>${escapeHtml(email)}</strong>.</p><ul>${companies
      .map(
        ({ id, name }) =>
          `<li><a href="/console/session?company=${encodeURIComponent(id)}">${escapeHtml(name)}</a></li>`,
      )
      .join('')}</ul>${signOut}`,
  )

/** Puts the key into the tab, and opens the console, which reads both values (console/service/session.ts). */
export function sessionPage(nonce: string, key: string, companies: number): Answer {
  const script = [
    `sessionStorage.setItem('lead-intake-key','${key}')`,
    `sessionStorage.setItem('lead-intake-companies','${companies}')`,
    `location.replace('/console')`,
  ].join(';')
  return page(
    200,
    nonce,
    'Signing in',
    `<script nonce="${nonce}">${script}</script><noscript>The console needs JavaScript.</noscript>`,
  )
}
