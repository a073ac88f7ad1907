// Fields for times, in the calendar of the page's language.
import { parseAbsolute, toZoned, type ZonedDateTime } from '@internationalized/date'
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

/** MomentIn takes a time of the browser's zone, in the calendar of the page's language: Jalali in Persian. */
export function MomentIn({ value, onChange, ...more }: MomentProps) {
  return (
    <DatePicker<ZonedDateTime>
      value={value === null ? null : parseAbsolute(value, zone)}
      onChange={(to) => onChange(to === null ? null : toZoned(to, 'UTC').toAbsoluteString())}
      isInvalid={Boolean(more.error)}
      isDisabled={more.isDisabled ?? false}
      isRequired={more.isRequired ?? false}
      granularity="minute"
      hideTimeZone
      className="field"
    >
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
    </DatePicker>
  )
}
