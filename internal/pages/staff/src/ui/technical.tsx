// The technical values of a product: the questions of its category's form, and of those above it.
import { useEffect, useState } from 'react'
import { ask } from '../api'
import { FormOfCategoryDocument, type FormOfCategoryQuery } from '../graphql/graphql'
import type { Shop } from '../shop'
import { useLanguage, useWords, type Pair } from '../words'
import { Choice } from './choice'
import { Problem, TextIn, Toggle } from './fields'
import { NumberIn } from './number'

const words = {
  values: ['Technical values', 'مشخصات فنی'],
  none: ['Not said', 'گفته نشده'],
} satisfies Record<string, Pair>

export interface Answer {
  key: string
  value: unknown
}

type Question = NonNullable<NonNullable<FormOfCategoryQuery['staffCategory']>['form']>['fields'][number]

/**
 * useQuestions reads the questions of a category and its ancestors, from the top. A key replaces the same key of an
 * ancestor.
 */
function useQuestions(shop: Shop, category: string): [questions: Question[], failure: string] {
  const [questions, setQuestions] = useState<Question[]>([])
  const [failure, setFailure] = useState('')
  useEffect(() => {
    let gone = false
    const read = async () => {
      const found = new Map<string, Question>()
      const levels: Question[][] = []
      for (let slug: string | null | undefined = category, depth = 0; slug && depth < 20; depth++) {
        const data: FormOfCategoryQuery = await ask(FormOfCategoryDocument, { shop: shop.id, slug })
        levels.unshift(data.staffCategory?.form?.fields ?? [])
        slug = data.staffCategory?.parentSlug
      }
      for (const question of levels.flat()) found.set(question.key, question)
      if (gone) return
      setFailure('')
      setQuestions([...found.values()])
    }
    read().catch((cause: unknown) => {
      if (!gone) setFailure(cause instanceof Error ? cause.message : String(cause))
    })
    return () => {
      gone = true
    }
  }, [shop.id, category])
  return [questions, failure]
}

interface TechnicalProps {
  shop: Shop
  category: string
  value: Answer[]
  onChange: (value: Answer[]) => void
  fault: (name: string) => string | undefined
}

export function TechnicalFields({ shop, category, value, onChange, fault }: TechnicalProps) {
  const t = useWords(words)
  const language = useLanguage()
  const [questions, failure] = useQuestions(shop, category)
  if (failure) return <Problem>{failure}</Problem>
  if (questions.length === 0) return null
  const set = (key: string, to: unknown) => {
    const others = value.filter((answer) => answer.key !== key)
    onChange(to === null || to === '' ? others : [...others, { key, value: to }])
  }
  return (
    <fieldset>
      <legend>{t.values}</legend>
      {questions.map((question) => {
        const answer = value.find(({ key }) => key === question.key)?.value ?? null
        const unit = language === 'fa' ? question.unitFa : question.unit
        const name = language === 'fa' ? question.labelFa : question.label
        const common = {
          label: unit ? `${name} (${unit})` : name,
          isRequired: question.required,
          error: fault(`values.${question.key}`),
        }
        const options = question.options.map((option) => ({
          id: option.value,
          name: language === 'fa' ? option.labelFa : option.label,
        }))
        switch (question.type) {
          case 'number':
            return (
              <NumberIn
                key={question.key}
                {...common}
                value={typeof answer === 'number' || typeof answer === 'string' ? answer : null}
                onChange={(to) => set(question.key, to)}
                decimals={6}
                isGrouped={Boolean(unit)} // a year has none
              />
            )
          case 'boolean':
            return (
              <Toggle
                key={question.key}
                {...common}
                value={answer === true}
                onChange={(to) => set(question.key, to)}
              />
            )
          case 'select':
            return (
              <Choice
                key={question.key}
                {...common}
                value={typeof answer === 'string' ? answer : ''}
                onChange={(to) => set(question.key, to)}
                options={[{ id: '', name: t.none }, ...options]}
              />
            )
          case 'multiselect':
            return (
              <fieldset key={question.key}>
                <legend>{common.label}</legend>
                {options.map(({ id, name }) => {
                  const chosen = Array.isArray(answer) ? (answer as string[]) : []
                  return (
                    <Toggle
                      key={id}
                      label={name}
                      value={chosen.includes(id)}
                      onChange={(to) => {
                        const now = to ? [...chosen, id] : chosen.filter((one) => one !== id)
                        set(question.key, now.length > 0 ? now : null)
                      }}
                    />
                  )
                })}
              </fieldset>
            )
        }
        return (
          <TextIn
            key={question.key}
            {...common}
            value={typeof answer === 'string' ? answer : ''}
            onChange={(to) => set(question.key, to)}
          />
        )
      })}
    </fieldset>
  )
}
