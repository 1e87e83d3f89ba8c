package pages

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Languages are those whose words come with the program, as they can be named to [LoadWords].
func Languages() (all []string) {
	entries, err := ownWords.ReadDir("words")
	if err != nil {
		panic(fmt.Sprintf("the words are part of the program: %v", err)) // a test reads them
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return all
}

// LoadWords reads words: of a language that comes with the program ("fr"), or of a file (a name
// with a slash, or that ends in .yaml).
func LoadWords(name string) (*Words, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.ContainsAny(name, `/\`) {
		if !slices.Contains(Languages(), name) {
			return nil,
				fmt.Errorf("no words of the language %.40q come with the program (there are %s): name a file of your "+
					"own, NAME.yaml", name, strings.Join(Languages(), ", "))
		}
		if name == "en" {
			return English(), nil
		}
		in, err := ownWords.Open(path.Join("words", name+".yaml"))
		if err != nil {
			return nil, err
		}
		return ReadWords(in)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	w, err := ReadWords(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// Language is that of the words, by BCP 47.
func (w *Words) Language() string { return w.tag.String() }

// Missing are the keys of texts that are English still, sorted: the file does not have them. Plural
// forms count as one, as not each language has each.
func (w *Words) Missing() (all []string) {
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

// Among puts the words of the language that is the default first. It is an error when there are
// none of it, or a language is there twice.
func Among(all []*Words, first string) ([]*Words, error) {
	tag, err := language.Parse(cmp.Or(first, "en"))
	if err != nil {
		return nil, fmt.Errorf("%q is no language by BCP 47", first)
	}
	seen := map[string]bool{}
	at := -1
	for i, w := range all {
		if seen[w.Language()] {
			return nil, fmt.Errorf("there are two files of words of the language %s", w.Language())
		}
		seen[w.Language()] = true
		if w.tag == tag {
			at = i
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("there are no words of the language %s, which is to be the first", tag)
	}
	return append([]*Words{all[at]}, slices.Delete(slices.Clone(all), at, at+1)...), nil
}
