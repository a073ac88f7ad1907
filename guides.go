package storefront

import "embed"

// Guides are the documents of docs, in Markdown, which the service shows at /guides.
//
//go:embed docs/*.md
var Guides embed.FS
