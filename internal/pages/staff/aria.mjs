// React Aria's words for screen readers: it brings 34 languages, of which the page needs English, and lacks Persian.
import { readFileSync } from 'node:fs'

// The Persian words, by the part of React Aria and its name for them. What is not here is said in English.
const persian = {
  calendar: {
    previous: 'پیشین',
    next: 'بعدی',
    selectedDateDescription: ({ date }) => `تاریخ برگزیده: ${date}`,
    todayDate: ({ date }) => `امروز، ${date}`,
    todayDateSelected: ({ date }) => `امروز، ${date}، برگزیده`,
    dateSelected: ({ date }) => `${date}، برگزیده`,
  },
  combobox: {
    countAnnouncement: ({ optionCount }, formatter) => `${formatter.number(optionCount)} گزینه.`,
    selectedAnnouncement: ({ optionText }) => `${optionText}، برگزیده`,
    buttonLabel: 'نمایش پیشنهادها',
    listboxLabel: 'پیشنهادها',
  },
  datepicker: {
    era: 'دوره',
    year: 'سال',
    month: 'ماه',
    day: 'روز',
    hour: 'ساعت',
    minute: 'دقیقه',
    second: 'ثانیه',
    dayPeriod: 'صبح یا عصر',
    calendar: 'تقویم',
    weekday: 'روز هفته',
    timeZoneName: 'منطقه زمانی',
    selectedDateDescription: ({ date }) => `تاریخ برگزیده: ${date}`,
    selectedTimeDescription: ({ time }) => `زمان برگزیده: ${time}`,
  },
  dnd: {
    dragItem: ({ itemText }) => `کشیدن ${itemText}`,
    dragDescriptionKeyboard: 'برای کشیدن Enter را بزنید.',
    dragDescriptionTouch: 'برای کشیدن دو بار بزنید.',
    dragDescriptionVirtual: 'برای کشیدن کلیک کنید.',
    dragStartedKeyboard: 'کشیدن آغاز شد. با Tab جا را برگزینید، سپس Enter برای گذاشتن یا Escape برای انصراف.',
    endDragKeyboard: 'در حال کشیدن. Enter برای انصراف.',
    dropDescriptionKeyboard: 'Enter برای گذاشتن، Escape برای انصراف.',
    dropCanceled: 'کشیدن لغو شد.',
    dropComplete: 'گذاشته شد.',
    dropIndicator: 'جای گذاشتن',
    insertBefore: ({ itemText }) => `پیش از ${itemText}`,
    insertBetween: ({ beforeItemText, afterItemText }) => `میان ${beforeItemText} و ${afterItemText}`,
    insertAfter: ({ itemText }) => `پس از ${itemText}`,
  },
  grid: {
    deselectedItem: ({ item }) => `${item} برگزیده نیست.`,
    select: 'انتخاب',
    selectedCount: ({ count }, formatter) => `${formatter.number(count)} مورد برگزیده.`,
    selectedAll: 'همه برگزیده‌اند.',
    selectedItem: ({ item }) => `${item} برگزیده است.`,
  },
  overlays: { dismiss: 'بستن' },
  searchfield: { 'Clear search': 'پاک کردن جستجو' },
  spinbutton: { Empty: 'خالی' },
  table: { select: 'انتخاب', selectAll: 'انتخاب همه' },
  tag: { removeDescription: 'برای برداشتن Delete را بزنید.', removeButtonLabel: 'برداشتن' },
}

/** The text of a table of words, whose functions are arrow functions without names from outside. */
const tableOf = (words) =>
  `{${Object.entries(words)
    .map(([name, word]) => `${JSON.stringify(name)}: ${typeof word === 'function' ? word : JSON.stringify(word)}`)
    .join(', ')}}`

// ariaWords leaves English and Persian of the words of React Aria.
export const ariaWords = {
  name: 'aria-words',
  setup({ onLoad }) {
    onLoad({ filter: /react-(aria|stately|aria-components)\/.*\/intlStrings\.mjs$/ }, ({ path }) => {
      const [, english] = readFileSync(path, 'utf8').match(/from "(\.[^"]*\/en-US\.mjs)"/)
      const [, part = ''] = english.match(/\/intl\/(\w+)\/en-US/) ?? []
      return {
        contents: `import english from '${english}'
          export default { 'en-US': english, 'fa-IR': { ...english, ...${tableOf(persian[part] ?? {})} } }`,
      }
    })
  },
}
