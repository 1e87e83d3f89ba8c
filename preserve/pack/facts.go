package pack

import (
	"context"

	"quire/model"
	"quire/preserve/convert"
)

// facts are the facts of the harvests of a package, for each harvest and for all together.
type facts struct {
	whole    harvest
	harvests []harvest
}

// begin adds the results of the harvests' readers. It passes each line of the logs, with the index
// of its harvest, to line.
func (f *facts) begin(ctx context.Context, p *convert.Plan, line func(harvest int, fetch *model.Fetch) error) error {
	f.harvests = make([]harvest, len(p.Harvests))
	for i, h := range p.Harvests {
		f.harvests[i].addDocumented(h.About())
		var err error
		if f.harvests[i].missed, err = countMissed(ctx, h, func(fetch *model.Fetch) error {
			return line(i, fetch)
		}); err != nil {
			return err
		}
	}
	return nil
}

// add adds the facts of a container to the harvest with the given number. A container without a
// harvest, such as a container of curators' descriptions or of cleaned content, is counted. It adds
// no facts or dates of the crawl.
func (f *facts) add(c *model.Container, harvest int, made bool) {
	if harvest == 0 {
		f.whole.count(c)
		return
	}
	f.whole.add(c, made)
	f.harvests[harvest-1].add(c, made)
}

// name returns the name that all named harvests share, and its source; "" if they differ. pick
// returns one kind of name of a harvest: its title, or its collection.
func (f *facts) name(pick func(*harvest) named) named {
	var shared named
	for i := range f.harvests {
		n := pick(&f.harvests[i])
		switch {
		case n.name == "" || n.name == shared.name:
		case shared.name != "":
			return named{}
		default:
			shared = n
		}
	}
	return shared
}

// values lists the values of one kind, those from the documentation of the harvests first.
func (f *facts) values(kind string) []string {
	seen := map[string]bool{}
	var all []string
	for i := range f.harvests {
		for _, v := range f.harvests[i].values(kind) {
			if !seen[v] {
				seen[v] = true
				all = append(all, v)
			}
		}
	}
	return all
}
