// A chart of bars, with the same figures as a table for people who cannot see it.
import { useLanguage } from '../words'

export interface Bar {
  id: string
  label: string
  value: number
  shown: string
}

/** Labels are dates in Latin digits. */
const persian = (text: string) => text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)]!).replaceAll('-', '/')

export function Bars({ label, bars: given }: { label: string; bars: Bar[] }) {
  const isFa = useLanguage() === 'fa'
  const bars = given.map((bar) => (isFa ? { ...bar, label: persian(bar.label) } : bar))
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const width = 100 / Math.max(1, bars.length)
  return (
    <figure className="bars">
      <figcaption>{label}</figcaption>
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ id, value, label: day, shown }, i) => (
          <rect
            key={id}
            x={(isFa ? bars.length - 1 - i : i) * width + width * 0.1}
            y={30 - (value / most) * 29}
            width={width * 0.8}
            height={(value / most) * 29}
          >
            <title>{`${day}: ${shown}`}</title>
          </rect>
        ))}
      </svg>
      <div className="axis" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.length > 1 && bars.at(-1)?.label}</span>
      </div>
      <details>
        <summary>{label}</summary>
        <table>
          <tbody>
            {bars.map(({ id, label: day, shown }) => (
              <tr key={id}>
                <th scope="row">{day}</th>
                <td>{shown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
