package server

import (
	"fmt"
	"slices"
	"strings"

	"quire/access/pages"
)

// words reads those of all languages. English is always one.
func (o *Options) words() ([]*pages.Words, error) {
	all := []*pages.Words{pages.English()}
	for _, name := range o.Languages {
		if name == "en" {
			continue
		}
		w, err := pages.LoadWords(name)
		if err != nil {
			return nil, fmt.Errorf("languages: %w", err)
		}
		if w.Language() == "en" {
			all = slices.Delete(all, 0, 1) // the institution says it otherwise
		}
		all = append(all, w)
	}
	all, err := pages.Among(all, o.Language)
	if err != nil {
		return nil, fmt.Errorf("languages: %w", err)
	}
	return all, nil
}

// missingShown is how many texts that are English still are named.
const missingShown = 10

// spoken says in which languages our pages are, and what of them is English still.
func (s *Server) spoken() (lines []string) {
	if len(s.words) == 1 && s.words[0].Language() == "en" && len(s.words[0].Missing()) == 0 {
		return nil
	}
	var names []string
	for _, w := range s.words {
		names = append(names, w.Language())
	}
	lines = append(lines, "  languages: "+strings.Join(names, ", ")+"; who wants none of them gets "+names[0])
	for _, w := range s.words {
		missing := w.Missing()
		if len(missing) == 0 {
			continue
		}
		line := fmt.Sprintf("  %s: %d texts are English still: %s", w.Language(), len(missing),
			strings.Join(missing[:min(len(missing), missingShown)], ", "))
		if len(missing) > missingShown {
			line += " …"
		}
		lines = append(lines, line)
	}
	return lines
}
