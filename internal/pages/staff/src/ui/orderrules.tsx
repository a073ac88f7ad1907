// What the shop asks of orders: until when they are paid, how many may wait for that, who may order, and what prices
// contain.
import { UpdateShopDocument, type SettingsQuery } from '../graphql/graphql'
import { useSaving } from '../query'
import type { Shop } from '../shop'
import { useWords, type Pair } from '../words'
import { Editor, useEdit } from './editor'
import { faultOf, Toggle } from './fields'
import { NumberIn, type Typed } from './number'

const words = {
  title: ['Rules of orders', 'قاعده‌های سفارش'],
  help: [
    'An order that is not paid in time is cancelled, and its units go back. One with a receipt waits for you. 0: it waits for ever.',
    'سفارشی که به‌موقع پرداخت نشود لغو می‌شود و کالاهایش به انبار برمی‌گردد. سفارشی که رسید دارد منتظر شما می‌ماند. ۰: همیشه منتظر می‌ماند.',
  ],
  transferHours: ['Hours for a transfer', 'مهلت واریز، به ساعت'],
  gatewayHours: ['Hours for a payment gateway', 'مهلت درگاه پرداخت، به ساعت'],
  gatewayMinutes: [
    'Minutes instead of these hours, while customers can pay at a gateway here',
    'به‌جای این ساعت‌ها، تا وقتی پرداخت در درگاه ممکن است، به دقیقه',
  ],
  mostUnpaid: [
    'Most orders of a customer that wait for payment; empty: any number',
    'بیشترین سفارش پرداخت‌نشده هر مشتری؛ خالی: هر تعداد',
  ],
  usualWeight: ['Weight of a variant that has none, in grams', 'وزن کالایی که وزن ندارد، به گرم'],
  provenNumber: ['Only customers whose number was proven by a code order', 'فقط مشتریانی که شماره‌شان با کد تأیید شده سفارش دهند'],
  pricesIncludeTax: ['Prices contain the taxes', 'قیمت‌ها مالیات را در بر دارند'],
} satisfies Record<string, Pair>

/** What holds where the shop has not said it (contract 3.3 and 3.7). */
const usual = { transferHours: 72, gatewayHours: 72, gatewayMinutes: 30, mostUnpaid: null, usualWeight: 500 }

type Name = keyof typeof usual
const numbers = Object.keys(usual) as Name[]
const each = <T,>(of: (name: Name) => T) =>
  Object.fromEntries(numbers.map((name) => [name, of(name)])) as Record<Name, T>

interface Props {
  shop: Shop
  stored: NonNullable<SettingsQuery['staffShop']>
  again: () => void
}

export function OrderRules({ shop, stored, again }: Props) {
  const t = useWords(words)
  const update = useSaving(UpdateShopDocument, `${shop.id}.shop`, stored.version)
  const rules = stored.orderRules
  const edit = useEdit(`${shop.id}.orderRules`, {
    ...each((name): Typed => rules?.[name] ?? usual[name]),
    provenNumber: rules?.provenNumber ?? false,
    pricesIncludeTax: rules?.pricesIncludeTax ?? false,
  }, update.isOld)
  const { value, set } = edit
  const save = async () => {
    const orderRules = {
      ...value,
      ...each((name) => (typeof value[name] === 'number' ? value[name] : usual[name])), // no text is saved
    }
    const done = await update.save({ shop: shop.id, input: { orderRules } })
    if (done) again()
    return Boolean(done)
  }
  return (
    <>
      <h2>{t.title}</h2>
      <Editor
        edit={edit}
        failure={update.failure}
        isSaving={update.doing}
        mayEdit={shop.permissions.includes('editShop')}
        onSave={save}
        onConflict={again}
        names={t}
      >
        <p className="help">{t.help}</p>
        {numbers.map((name) => (
          <NumberIn
            key={name}
            label={t[name]}
            value={value[name]}
            onChange={(to) => set(name, to)}
            error={faultOf(update.failure, `orderRules.${name}`)}
          />
        ))}
        <Toggle label={t.provenNumber} value={value.provenNumber} onChange={(to) => set('provenNumber', to)} />
        <Toggle
          label={t.pricesIncludeTax}
          value={value.pricesIncludeTax}
          onChange={(to) => set('pricesIncludeTax', to)}
        />
      </Editor>
    </>
  )
}
