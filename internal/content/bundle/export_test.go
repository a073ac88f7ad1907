package bundle

// OneByOne makes Import write each element in a transaction of its own.
func OneByOne(im *importer) { im.stepSize = 1 }

// Share limits the records that Import writes in one transaction.
func Share(most int) Option {
	return func(im *importer) { im.stepSize = most }
}
