// What the page says after something was done, and what it asks before something that cannot be undone.
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Question } from './asked'
import { later } from './later'

interface Feedback {
  /** Shows a message for some seconds, and has it read aloud. An empty one removes the present one. */
  tell: (words: string) => void
  /** Asks a question; the answer is whether to go on. */
  confirm: (question: Question) => Promise<boolean>
}

const Context = createContext<Feedback | null>(null)

export function useFeedback(): Feedback {
  const feedback = useContext(Context)
  if (!feedback) throw new Error('useFeedback is used outside of FeedbackArea')
  return feedback
}

// The dialog is loaded when it is first needed.
const Asked = later(
  () => import('./asked'),
  () => null,
)

export function FeedbackArea({ children }: { children: ReactNode }) {
  const [told, setTold] = useState({ words: '', turn: 0 })
  const [question, setQuestion] = useState<Question | null>(null)
  const answer = useRef<(yes: boolean) => void>(() => {})
  const timer = useRef(0)
  const tell = useCallback((to: string) => {
    // A repeated message is a new element, so that it is read aloud again.
    const say = (words: string) => setTold(({ turn }) => ({ words, turn: turn + 1 }))
    say(to)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => say(''), 6000)
  }, [])
  const confirm: Feedback['confirm'] = useCallback(
    (asked) =>
      new Promise((resolve) => {
        answer.current = resolve
        setQuestion(asked)
      }),
    [],
  )
  const close = (yes: boolean) => {
    setQuestion(null)
    answer.current(yes)
  }
  return (
    <Context value={useMemo(() => ({ tell, confirm }), [tell, confirm])}>
      {children}
      <div role="status" className="told">
        {told.words && <span key={told.turn}>{told.words}</span>}
      </div>
      {question && <Asked {...question} onAnswer={close} />}
    </Context>
  )
}
