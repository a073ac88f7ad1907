package bundle

// OneByOne makes Import write each element in a transaction of its own.
func OneByOne(im *importer) { im.unitWeight, im.mostShare = 1, 1 }

// Share limits the records that Import writes in one transaction.
func Share(most int) Option {
	return func(im *importer) { im.unitWeight, im.mostShare = most/4, most }
}
