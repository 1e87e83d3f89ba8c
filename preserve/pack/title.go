package pack

import (
	"fmt"
	"os"

	"quire/preserve/aip"
	"quire/preserve/convert"
)

// named is a name for a package, and its source.
type named struct{ name, source string }

// title returns the title of the package with its source: the first of these that exists.
//
//  1. the title given to quire pack
//  2. the curator's title in the sheet, in a description within the containers, or in the records of
//     the crawl's system
//  3. for a crawl of several sites, the name of its collection
//  4. the title element of the front page
//  5. the host of the seed
//  6. the name of the collection, or of the crawler's job
//  7. the captured hosts
//
// A container's file name is never a title: it names a file, not a website.
func (b *builder) title() named {
	collection := b.facts.name(func(h *harvest) named { return h.collection })
	several := named{}
	if b.front.sites() > 1 {
		several = collection
	}
	for _, n := range []named{
		{b.o.Title, "given to quire pack"},
		b.described.title(),
		b.own.title(),
		b.facts.name(func(h *harvest) named { return h.title }),
		several,
		b.front.title(),
		b.front.seedHost(),
		collection,
		b.front.hosts(),
	} {
		if n.name == "" {
			continue
		}
		if front := b.front.title(); n == front {
			b.titleSource = &aip.TitleSource{URL: b.front.best.uri, Captured: b.front.best.captured}
		}
		return n
	}
	return b.unnamed()
}

// unnamed returns the title of a package without any captured host.
func (b *builder) unnamed() named {
	base := convert.BaseName(b.sources[0])
	if info, err := os.Stat(b.sources[0]); err == nil && info.IsDir() {
		return named{base, fmt.Sprintf("the name of the folder %s; no capture names a host", base)}
	}
	return named{"Web archive without captures", "no capture names a host"}
}
