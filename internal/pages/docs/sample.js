// Makes up values for schemas, for examples and forms.
import { flatten, typesOf } from './schema.js';

// known are values of members, by name, where the schema alone would give a poor one.
const known = {
  domain: 'sanat-mashin.example',
  cellNumber: '+989121234567',
  to: '09121234567',
  code: '123456',
  password: 'correct horse',
  currentPassword: 'correct horse',
  newPassword: 'battery staple',
  firstName: 'سارا',
  lastName: 'کریمی',
  authorName: 'سارا کریمی',
  name: 'سارا کریمی',
  province: 'تهران',
  city: 'تهران',
  address: 'خیابان ولیعصر، پلاک ۱۲',
  label: 'خانه',
  postalCode: '1415895411',
  landline: '02188123456',
  title: 'پرسش درباره تحویل',
  text: 'بسیار خوب بود.',
  rate: 9,
  message: 'سفارش شما ارسال شد.',
  titleFa: 'دستگاه فرز سی‌ان‌سی',
  titleEn: 'CNC mill',
  nameFa: 'صنعت ماشین',
  slug: 'cnc-mill',
  sku: 'SM-1001-1',
  price: 1250000,
  priceCurrency: 'IRT',
  quantity: 1,
  positivePoints: ['ارسال سریع'],
  negativePoints: [],
  requestId: 'yk35rdt2y55vfhs5piwy7ztu2u',
};

const formats = { 'date-time': '2026-02-02T01:00:00Z', email: 'sara@mail.example' };

// sample makes up a value, taking values from given by member name first. An object gets only its required members in a
// request body, and every member in an answer.
export function sample(part, { given = {}, onlyRequired = false, name = '', depth = 0 } = {}) {
  const schema = flatten(part);
  if (name in given) {
    return given[name];
  }
  if (schema.oneOf || schema.anyOf) {
    return sample((schema.oneOf ?? schema.anyOf)[0], { given, onlyRequired, name, depth });
  }
  if (schema.enum) {
    return schema.enum[0];
  }
  if (schema.default !== undefined) {
    return schema.default;
  }
  const [type] = typesOf(schema);
  switch (type) {
    case 'object':
      return depth > 4 ? {} : objectOf(schema, { given, onlyRequired, depth: depth + 1 });
    case 'array':
      if (name in known) {
        return known[name];
      }
      return depth > 4 ? [] : [sample(schema.items, { given, onlyRequired, name: name.replace(/s$/, ''), depth: depth + 1 })];
    case 'integer':
    case 'number':
      return typeof known[name] === 'number' ? known[name] : (schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'string':
      return typeof known[name] === 'string' ? known[name] : (formats[schema.format] ?? (/Id$|^id$/.test(name) ? '…' : 'text'));
  }
  return null;
}

function objectOf(schema, { given, onlyRequired, depth }) {
  const members = Object.entries(schema.properties ?? {})
    .filter(([name, member]) => !onlyRequired || schema.required?.includes(name) || (!schema.required && typesOf(member)[0] !== 'null'))
    .map(([name, member]) => [name, sample(member, { given, onlyRequired, name, depth })]);
  return Object.fromEntries(members);
}
