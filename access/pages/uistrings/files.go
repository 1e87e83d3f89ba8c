package uistrings

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Languages returns the built-in languages, as named for [Load].
func Languages() (all []string) {
	entries, err := builtIn.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("built-in UI strings: %v", err)) // tests read them
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return all
}

// Load reads UI strings: of a built-in language ("fr"), or from a file (a name with a slash,
// or that ends in .yaml).
func Load(name string) (*Strings, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.ContainsAny(name, `/\`) {
		if !slices.Contains(Languages(), name) {
			return nil,
				fmt.Errorf("no built-in UI strings for the language %.40q (only %s): name your own file, "+
					"NAME.yaml", name, strings.Join(Languages(), ", "))
		}
		if name == "en" {
			return English(), nil
		}
		in, err := builtIn.Open(name + ".yaml")
		if err != nil {
			return nil, err
		}
		return Read(in)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read
	w, err := Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// Language returns the language of the UI strings (BCP 47).
func (w *Strings) Language() string { return w.tag.String() }

// Missing returns the sorted keys of untranslated strings, which appear in English. Plural forms
// count as one key, because languages differ in them.
func (w *Strings) Missing() (all []string) {
	if w.own == nil {
		return nil
	}
	for key := range English().texts {
		stem, _, isForm := cutForm(key)
		if isForm {
			key = stem + ".other"
		}
		if !w.own[key] && !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return all
}

// Among moves the default language to the front. It returns an error if that language is missing,
// or if a language occurs twice.
func Among(all []*Strings, first string) ([]*Strings, error) {
	tag, err := language.Parse(cmp.Or(first, "en"))
	if err != nil {
		return nil, fmt.Errorf("%q is not a BCP 47 language tag", first)
	}
	seen := map[string]bool{}
	at := -1
	for i, w := range all {
		if seen[w.Language()] {
			return nil, fmt.Errorf("two files of UI strings for the language %s", w.Language())
		}
		seen[w.Language()] = true
		if w.tag == tag {
			at = i
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("no UI strings for the default language %s", tag)
	}
	return append([]*Strings{all[at]}, slices.Delete(slices.Clone(all), at, at+1)...), nil
}
