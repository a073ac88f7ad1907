import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { session } from './api'
import { App } from './app'
import { parse } from './router'
import { screens } from './screens'

// The screen is loaded while it is asked who is signed in. Where that fails, the shell says so.
const { screen } = parse(location.hash)
if (session.get()) screens.find(({ path }) => path === screen)?.load().catch(() => {})

createRoot(document.getElementById('staff')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
