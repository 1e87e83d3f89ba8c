package uistrings

import "golang.org/x/text/language"

// Choice selects one of several languages for a reader.
type Choice struct {
	all     []*Strings // the first is the default
	matcher language.Matcher
}

// NewChoice returns a choice among languages; the first is the default. There is at least one.
func NewChoice(all ...*Strings) *Choice {
	var tags []language.Tag
	for _, w := range all {
		tags = append(tags, w.tag)
	}
	return &Choice{all: all, matcher: language.NewMatcher(tags)}
}

// Several reports whether there is more than one language.
func (c *Choice) Several() bool { return len(c.all) > 1 }

// Of returns the strings of a language by its tag, as in the catalogue of strings; nil if there are none.
func (c *Choice) Of(tag string) *Strings {
	for _, w := range c.all {
		if w.Language() == tag {
			return w
		}
	}
	return nil
}

// longestHeader limits the bytes that Accept reads: a header can have a megabyte.
const longestHeader = 1000

// Accept returns the index and strings of the language for a header Accept-Language (RFC 9110,
// 12.5.4), by the matching of CLDR: fr-CA gets French. An invalid header gets the default.
func (c *Choice) Accept(header string) (int, *Strings) {
	if !c.Several() || len(header) > longestHeader {
		return 0, c.all[0]
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(wanted) == 0 {
		return 0, c.all[0]
	}
	_, i, confidence := c.matcher.Match(wanted...)
	if confidence == language.No {
		i = 0
	}
	return i, c.all[i]
}

// rightToLeft are the scripts written from right to left.
var rightToLeft = map[string]bool{"Adlm": true, "Arab": true, "Hebr": true, "Mand": true, "Nkoo": true, "Rohg": true,
	"Samr": true, "Syrc": true, "Thaa": true}

// Direction returns the writing direction of the language, for the attribute dir.
func (w *Strings) Direction() string {
	if script, _ := w.tag.Script(); rightToLeft[script.String()] {
		return "rtl"
	}
	return "ltr"
}
