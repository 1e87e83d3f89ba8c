package server

import (
	"fmt"
	"slices"
	"strings"

	"quire/access/pages/uistrings"
)

// uiStrings reads the UI strings of all languages, always including English.
func (o *Options) uiStrings() ([]*uistrings.Strings, error) {
	all := []*uistrings.Strings{uistrings.English()}
	for _, name := range o.Languages {
		if name == "en" {
			continue
		}
		w, err := uistrings.Load(name)
		if err != nil {
			return nil, fmt.Errorf("languages: %w", err)
		}
		if w.Language() == "en" {
			all = slices.Delete(all, 0, 1) // the institution has its own English texts
		}
		all = append(all, w)
	}
	all, err := uistrings.Among(all, o.Language)
	if err != nil {
		return nil, fmt.Errorf("languages: %w", err)
	}
	return all, nil
}

// missingShown limits the untranslated strings that are named.
const missingShown = 10

// spoken lists the languages of our pages, and their untranslated strings.
func (s *Server) spoken() (lines []string) {
	if len(s.words) == 1 && s.words[0].Language() == "en" && len(s.words[0].Missing()) == 0 {
		return nil
	}
	var names []string
	for _, w := range s.words {
		names = append(names, w.Language())
	}
	lines = append(lines, "  languages: "+strings.Join(names, ", ")+"; default: "+names[0])
	for _, w := range s.words {
		missing := w.Missing()
		if len(missing) == 0 {
			continue
		}
		line := fmt.Sprintf("  %s: %d texts are untranslated: %s", w.Language(), len(missing),
			strings.Join(missing[:min(len(missing), missingShown)], ", "))
		if len(missing) > missingShown {
			line += " …"
		}
		lines = append(lines, line)
	}
	return lines
}
