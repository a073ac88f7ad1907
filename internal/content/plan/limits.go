package plan

import "storefront/internal/record"

// Limits of texts in characters, of lists in items. Those of contract 9 are for names, titles and opinions;
// the others are our choice, far above what shops need.
const (
	personLimit  = 100
	tagLimit     = 100
	urlLimit     = 2_000
	emailLimit   = 254
	noteLimit    = 1_000
	replyLimit   = 2_000
	summaryLimit = 5_000
	opinionLimit = 5_000
	bodyLimit    = 100_000

	mostTags       = 100
	mostImages     = 200
	mostVariations = 20
	mostChoices    = 500 // values of a variation, options of a form's field
	mostVariants   = 2_000
	mostFields     = 200
	mostSlides     = 100
	mostPixels     = 100_000
	mostInGroup    = 1_000
	mostContacts   = 50 // phones, e-mails, addresses, links
	mostPoints     = 20
	mostLevels     = 10 // of categories

	mostStock    = record.MostStock
	mostPosition = 1_000_000_000 // the same below zero
)
