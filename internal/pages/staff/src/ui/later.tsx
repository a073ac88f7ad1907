// Parts of the page that are loaded when they are needed, and the message shown if loading or rendering them
// fails.
import { Component, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { forgetShown, isDraftShown } from '../draft'
import { say, useWords, type Pair } from '../words'

const words = {
  reading: ['Reading …', 'در حال خواندن …'],
  missing: [
    'A part of the page could not be loaded: the line is cut, or the page is older than the service.',
    'بخشی از صفحه بارگذاری نشد: یا ارتباط قطع است یا صفحه از سرویس قدیمی‌تر است.',
  ],
  broken: [
    'The page failed here. What you typed is kept.',
    'صفحه این‌جا از کار افتاد. آنچه نوشته‌اید نگه داشته شده است.',
  ],
  reload: ['Load the page again', 'بارگذاری دوباره صفحه'],
  forget: ['Throw away all that is typed on this screen', 'دور ریختن همهٔ آنچه در این صفحه نوشته شده'],
} satisfies Record<string, Pair>

/**
 * later returns a component that is loaded when it is first shown. React's lazy would hide it for a third of a
 * second after its fallback, and leave the page blank if loading fails.
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  meanwhile: (props: P) => ReactNode = () => <p className="later">{say(words.reading)}</p>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function Later(props: P) {
    const t = useWords(words)
    const [Shown, setShown] = useState(() => loaded)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded) return
      let gone = false
      load().then(
        ({ default: found }) => {
          loaded = found
          if (!gone) setShown(() => found)
        },
        () => !gone && setFailed(true),
      )
      return () => {
        gone = true
      }
    }, [])
    if (Shown) return <Shown {...props} />
    return failed ? <Failed>{t.missing}</Failed> : meanwhile(props)
  }
}

const Failed = ({ children, more }: { children: ReactNode; more?: ReactNode }) => (
  <div role="alert" className="problem">
    <p>{children}</p>
    <p className="buttons">
      <Button onPress={() => location.reload()}>{say(words.reload)}</Button>
      {more}
    </p>
  </div>
)

/**
 * Guard shows its children or, if one of them throws, a message until the address changes, instead of a blank page.
 * The cause may be an unsaved draft, so the message offers to delete it.
 */
export class Guard extends Component<{ at: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  override componentDidUpdate({ at }: { at: string }) {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false })
  }
  static getDerivedStateFromError = () => ({ failed: true })
  forget = () => {
    forgetShown()
    this.setState({ failed: false })
  }
  override render() {
    if (!this.state.failed) return this.props.children
    const more = isDraftShown() && (
      <Button className="danger" onPress={this.forget}>
        {say(words.forget)}
      </Button>
    )
    return <Failed more={more}>{say(words.broken)}</Failed>
  }
}
