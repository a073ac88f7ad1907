import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

createRoot(document.getElementById('staff')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
