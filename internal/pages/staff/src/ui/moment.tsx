// Fields for times, in the calendar of the page's language.
import {
  GregorianCalendar,
  parseAbsolute,
  parseDate,
  toCalendar,
  toZoned,
  type CalendarDate,
  type ZonedDateTime,
} from '@internationalized/date'
import { Button } from 'react-aria-components/Button'
import { Calendar, CalendarCell, CalendarGrid } from 'react-aria-components/Calendar'
import { DateInput, DatePicker, DateSegment } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { Label } from 'react-aria-components/Label'
import { Popover } from 'react-aria-components/Popover'
import { say } from '../words'
import { Below, type Common } from './fields'

interface MomentProps extends Common {
  /** RFC 3339; null: none. */
  value: string | null
  onChange: (value: string | null) => void
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** readable returns what parse returns, or null for a text that is no date, as an address may have. */
const readable = <T,>(text: string | null, parse: (text: string) => T): T | null => {
  try {
    return text ? parse(text) : null
  } catch {
    return null
  }
}

/** MomentIn takes a time of the browser's zone, in the calendar of the page's language: Jalali in Persian. */
export const MomentIn = ({ value, onChange, ...more }: MomentProps) => (
  <DatePicker<ZonedDateTime>
    value={readable(value, (text) => parseAbsolute(text, zone))}
    onChange={(to) => onChange(to === null ? null : toZoned(to, 'UTC').toAbsoluteString())}
    isInvalid={Boolean(more.error)}
    isDisabled={more.isDisabled ?? false}
    isRequired={more.isRequired ?? false}
    granularity="minute"
    hideTimeZone
    className="field"
  >
    <Inside {...more} />
  </DatePicker>
)

/** DayIn takes a day as YYYY-MM-DD, empty for none, in the calendar of the page's language. */
export const DayIn = ({
  value,
  onChange,
  ...more
}: Common & { value: string; onChange: (value: string) => void }) => (
  <DatePicker<CalendarDate>
    value={readable(value, parseDate)}
    onChange={(to) => onChange(to === null ? '' : toCalendar(to, new GregorianCalendar()).toString())}
    isInvalid={Boolean(more.error)}
    isDisabled={more.isDisabled ?? false}
    isRequired={more.isRequired ?? false}
    className="field"
  >
    <Inside {...more} />
  </DatePicker>
)

const Inside = (more: Common) => (
  <>
    <Label>{more.label}</Label>
    <Group className="moment">
      <DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput>
      <Button aria-label={say(['Calendar', 'تقویم'])}>▦</Button>
    </Group>
    <Below {...more} />
    <Popover className="popover">
      <Dialog>
        <Calendar>
          <header>
            <Button slot="previous">‹</Button>
            <Heading />
            <Button slot="next">›</Button>
          </header>
          <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  </>
)
