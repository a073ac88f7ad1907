// The images of the shop, to choose from, and to add to.
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { asset } from '../api'
import { MediaFilesDocument } from '../graphql/graphql'
import { useShop } from '../shop'
import { either, useWords, type Pair } from '../words'
import { Problem } from './fields'
import { useWalk } from './walk'
import { Upload } from './upload'

const words = {
  title: ['Choose an image', 'انتخاب تصویر'],
  more: ['Show more', 'نمایش بیشتر'],
  close: ['Close', 'بستن'],
  nameless: ['Image', 'تصویر'],
} satisfies Record<string, Pair>

export interface Chosen {
  mediaId: string
  url: string
  alt: string | null
  altFa: string | null
}

export default function Picker({ onChoose, onClose }: { onChoose: (image: Chosen) => void; onClose: () => void }) {
  const t = useWords(words)
  const shop = useShop()
  const walk = useWalk(MediaFilesDocument, { shop: shop.id }, (data) => data.mediaFilesConnection)
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal wide">
        <Dialog>
          <Heading slot="title">{t.title}</Heading>
          <Upload
            onUploaded={({ id, url }, isOnly) =>
              isOnly ? onChoose({ mediaId: id, url, alt: null, altFa: null }) : walk.again()
            }
          />
          <Problem>{walk.failure?.message}</Problem>
          <ul className="library">
            {walk.items.map(({ id, name, altFa, altEn, image }) => (
              <li key={id}>
                <Button
                  onPress={() =>
                    onChoose({ mediaId: id, url: image.url, alt: image.alt ?? null, altFa: altFa ?? null })
                  }
                >
                  <img src={asset(image.small)} alt={either(altEn, altFa) || name || t.nameless} loading="lazy" />
                </Button>
              </li>
            ))}
          </ul>
          <footer>
            {walk.total !== undefined && walk.items.length < walk.total && (
              <Button isPending={walk.reading} onPress={walk.more}>
                {t.more}
              </Button>
            )}
            <Button onPress={onClose}>{t.close}</Button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
