package bundle

// OneByOne makes Import write each element in a transaction of its own.
func OneByOne(im *importer) { im.unitWeight, im.mostShare = 1, 1 }
