// A question before something that cannot be undone.
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useWords, type Pair } from '../words'

const words: Record<'cancel', Pair> = { cancel: ['Cancel', 'انصراف'] }

export interface Question {
  title: string
  text: string
  yes: string
  isDanger?: boolean // absent: true
}

interface AskedProps extends Question {
  onAnswer: (yes: boolean) => void
}

export default function Asked({ title, text, yes, isDanger = true, onAnswer }: AskedProps) {
  const t = useWords(words)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onAnswer(false)}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{title}</Heading>
          <p>{text}</p>
          <footer>
            <Button autoFocus onPress={() => onAnswer(false)}>
              {t.cancel}
            </Button>
            <Button className={isDanger ? 'danger' : 'primary'} onPress={() => onAnswer(true)}>
              {yes}
            </Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
