// Proving the second factor.
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Form } from 'react-aria-components/Form'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { proof } from '../api'
import { ProveSecondFactorDocument } from '../graphql/graphql'
import { useDoing } from '../query'
import { to, usePlace } from '../router'
import { useWords, type Pair } from '../words'
import { namedIn, Problem, TextIn } from './fields'

const words = {
  title: ['Second factor', 'عامل دوم'],
  text: [
    'The work of staff asks for a code of your authenticator app, or a recovery code.',
    'برای کار در فروشگاه کدی از برنامه احراز هویت یا کد بازیابی لازم است.',
  ],
  code: ['Code', 'کد'],
  prove: ['Go on', 'ادامه'],
  later: ['Later', 'بعداً'],
  setUp: ['Set one up', 'راه‌اندازی'],
} satisfies Record<string, Pair>

/** Proof asks for the second factor. */
export default function Proof() {
  const t = useWords(words)
  const place = usePlace()
  const prove = useDoing(ProveSecondFactorDocument)
  const [code, setCode] = useState('')
  const submit = async () => {
    if (!(await prove.run({ code }))) return
    setCode('')
    proof.given()
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && proof.later()}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{t.title}</Heading>
          <p>{t.text}</p>
          <Form
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            <TextIn label={t.code} value={code} onChange={setCode} dir="ltr" autoComplete="one-time-code" />
            <Problem>{namedIn(prove.failure, t)}</Problem>
            <footer>
              <a className="button" href={to(place.shop, 'account')} onClick={() => proof.later()}>
                {t.setUp}
              </a>
              <Button onPress={() => proof.later()}>{t.later}</Button>
              <Button type="submit" className="primary" isPending={prove.doing}>
                {t.prove}
              </Button>
            </footer>
          </Form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
