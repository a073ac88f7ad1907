// Long texts.
import { TextIn } from './fields'

interface ProseProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

export const Prose = (props: ProseProps) => <TextIn {...props} lines={10} />
