// Invitations of shops to work for them, which whoever is signed in accepts or declines.
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../format'
import { AcceptInvitationDocument, DeclineInvitationDocument, type MeQuery } from '../graphql/graphql'
import { useDoing } from '../query'
import { go, to } from '../router'
import { useLanguage, useWords, type Pair } from '../words'
import { Problem } from './fields'
import { roleName } from './roles'

const words = {
  title: ['Invitations', 'دعوت‌ها'],
  invites: ['invites you to work for it', 'شما را به همکاری دعوت کرده است'],
  until: ['until', 'تا'],
  accept: ['Accept', 'پذیرفتن'],
  decline: ['Decline', 'نپذیرفتن'],
} satisfies Record<string, Pair>

type Invitation = NonNullable<MeQuery['me']>['invitations'][number]

export default function Invitations({ invitations, again }: { invitations: Invitation[]; again: () => void }) {
  const t = useWords(words)
  const f = useFormats()
  const isFa = useLanguage() === 'fa'
  const accept = useDoing(AcceptInvitationDocument)
  const decline = useDoing(DeclineInvitationDocument)
  return (
    <section>
      <h2>{t.title}</h2>
      <Problem>{accept.failure?.message ?? decline.failure?.message}</Problem>
      <ul className="opinions">
        {invitations.map(({ id, domain, name, nameFa, role, expiresAt }) => (
          <li key={id}>
            <article>
              <strong>
                <bdi>{isFa ? nameFa : name}</bdi>
              </strong>{' '}
              {t.invites}: {roleName(role)}
              <footer>
                {t.until} {f.moment(expiresAt)}
              </footer>
            </article>
            <Button
              className="primary"
              isPending={accept.doing}
              onPress={async () => {
                if (await accept.run({ invitation: id })) go(to(domain, ''))
                again()
              }}
            >
              {t.accept}
            </Button>
            <Button
              isPending={decline.doing}
              onPress={async () => {
                await decline.run({ invitation: id })
                again()
              }}
            >
              {t.decline}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
