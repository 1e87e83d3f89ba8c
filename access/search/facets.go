package search

import (
	"cmp"
	"slices"
	"strconv"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// shownValues limits the values of a facet. All years and types are shown.
const shownValues = 20

// facets returns the counts as facets of the public result.
func (t *table) facets(g *gathered, filters []Filter, in *membership) []Facet {
	all := []Facet{}
	for d, field := range dimensionOf[:byPackage] {
		f := Facet{Field: field, Values: []Value{}}
		for n, count := range g.facets[d].counts {
			if count == 0 {
				continue
			}
			v := Value{Count: int(count)}
			v.Value, v.Label = t.valueOf(d, n, in)
			v.Selected = slices.ContainsFunc(filters, func(f Filter) bool {
				return f.Field == field && f.Value == v.Value && !f.Not
			})
			f.Values = append(f.Values, v)
		}
		if len(f.Values) == 0 {
			continue
		}
		f.order()
		all = append(all, f)
	}
	return all
}

// order sorts by frequency; years by time. Selected values stay, however rare.
func (f *Facet) order() {
	if f.Field == Year {
		slices.SortFunc(f.Values, func(a, b Value) int { return cmp.Compare(b.Value, a.Value) })
		return
	}
	slices.SortFunc(f.Values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	if len(f.Values) <= shownValues {
		return
	}
	kept := f.Values[:shownValues:shownValues]
	for _, v := range f.Values[shownValues:] {
		if v.Selected {
			kept = append(kept, v)
		} else {
			f.More++
		}
	}
	f.Values = kept
}

// valueOf returns the value of a number, and its label.
func (t *table) valueOf(d, n int, in *membership) (value, label string) {
	switch d {
	case byType:
		return Types[n], typeLabels[Types[n]]
	case byYear:
		return strconv.Itoa(n), strconv.Itoa(n)
	case byHost:
		return name(t.hosts, int32(n)), name(t.hosts, int32(n)) //nolint:gosec // there are fewer than 2^31
	case byCollection:
		return in.ids[n], cmp.Or(in.titles[n], in.ids[n])
	}
	language := name(t.languages, int32(n)) //nolint:gosec // there are fewer than 2^31
	return language, languageLabel(language)
}

var typeLabels = map[string]string{
	"page": "Web pages", "text": "Plain text", "pdf": "PDF", "document": "Documents", "spreadsheet": "Spreadsheets",
	"presentation": "Presentations",
	"image":        "Images", "audio": "Audio", "video": "Video", "other": "Other",
}

// languageLabel returns the English name of a language.
func languageLabel(tag string) string {
	if tag == "" {
		return "Not known"
	}
	parsed, err := language.Parse(tag)
	if err != nil {
		return tag
	}
	return cmp.Or(display.English.Languages().Name(parsed), tag)
}
