// A question before something that cannot be undone.
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useWords, type Pair } from '../words'
import type { Question } from './feedback'

const words: Record<'cancel', Pair> = { cancel: ['Cancel', 'انصراف'] }

export default function Asked({ question, onAnswer }: { question: Question; onAnswer: (yes: boolean) => void }) {
  const t = useWords(words)
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onAnswer(false)}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{question.title}</Heading>
          <p>{question.text}</p>
          <footer>
            <Button autoFocus onPress={() => onAnswer(false)}>
              {t.cancel}
            </Button>
            <Button className={question.isDanger ? 'danger' : 'primary'} onPress={() => onAnswer(true)}>
              {question.yes}
            </Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
