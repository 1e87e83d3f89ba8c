package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"quire/repository/jobs"
	"quire/service/role"
)

// Submission is a command that a person asks for from elsewhere.
type Submission struct {
	Kind      string
	Arguments []string          // ids of packages, or paths in the folders of the service
	Flags     map[string]string // "true" for a flag without a value
	Select    string            // an expression that chooses packages: their ids stand for {}
	Queue     string
	Priority  int
	Attempts  int
	At        time.Time
	Source    string
}

// Commanded is a submission as a command of the command line.
type Commanded struct {
	Words     []string
	Directory string
	By        string
	Select    string
	Queue     string
	Priority  int
	Attempts  int
	At        time.Time
	Source    string
}

// value is how a flag or an argument is checked.
type value int

const (
	yes  value = iota + 1 // a flag without a value
	text                  // a text that names no file
	path                  // a file or folder in the folders of the service
)

// kind is a command that persons may submit from elsewhere. Commands and flags that name programs, rules or addresses
// are not here: the administrator of the machine decides on these.
type kind struct {
	arguments value // 0 for none
	none      bool  // no argument is needed
	flags     map[string]value
	needs     []string // flags
}

var kinds = map[string]kind{
	"audit": {arguments: text, none: true, flags: map[string]value{"repair": yes, "owed": yes, "due": yes,
		"sample": text, "seed": text, "older-than": text, "copy": text, "for": text, "rate": text, "resume": text}},
	"convert": {arguments: path, flags: map[string]value{"out": path, "report": path, "date": text},
		needs: []string{"out"}},
	"export": {arguments: text, flags: map[string]value{"out": path, "as": text, "version": text},
		needs: []string{"out", "as"}},
	"index":   {none: true, flags: map[string]value{"rebuild": yes}},
	"ingest":  {arguments: path, flags: map[string]value{"new-version": yes, "message": text, "validate": yes}},
	"inspect": {arguments: path, flags: map[string]value{"identify": yes, "strict": yes, "verbose": yes}},
	"pack": {arguments: path, flags: map[string]value{"out": path, "id": text, "title": text, "rights": path,
		"profile": text}, needs: []string{"out"}},
	"reconcile": {arguments: path, flags: map[string]value{"max": text, "hosts": text}},
	"validate":  {arguments: path},
}

// wholePackage is the form of an export that no right restricts.
const wholePackage = "aip"

// Kinds returns the commands that a person may submit, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// SubmitJob puts a command into the queue.
func (d *Desk) SubmitJob(ctx context.Context, who *role.Person, s Submission) ([]jobs.Submitted, error) {
	words, err := d.words(s)
	if err != nil {
		return nil, err
	}
	if s.Select != "" && kinds[s.Kind].arguments != text {
		return nil, &RefusedError{fmt.Errorf("%s takes no selection of packages", s.Kind)}
	}
	made, err := d.Submit(ctx, Commanded{Words: words, Directory: d.directory(), By: who.Name, Select: s.Select,
		Queue: s.Queue, Priority: s.Priority, Attempts: s.Attempts, At: s.At, Source: s.Source})
	return made, decided(err)
}

// directory is where relative paths begin.
func (d *Desk) directory() string {
	if len(d.Folders) > 0 {
		return d.Folders[0]
	}
	root, _, _ := d.Store.Catalogue()
	return root
}

// words returns the words of a command. Each value is a part of its flag, and arguments follow "--": no text of a
// person becomes a flag.
func (d *Desk) words(s Submission) ([]string, error) {
	k, ok := kinds[s.Kind]
	if !ok {
		return nil, &RefusedError{fmt.Errorf("%.40q is no command for the service: choose from %s", s.Kind,
			strings.Join(Kinds(), ", "))}
	}
	words := []string{s.Kind}
	for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
		word, err := d.flag(k, name, s.Flags[name])
		if err != nil {
			return nil, err
		}
		if word != "" {
			words = append(words, word)
		}
	}
	for _, name := range k.needs {
		if s.Flags[name] == "" {
			return nil, &RefusedError{fmt.Errorf("%s needs the flag %s", s.Kind, name)}
		}
	}
	switch {
	case k.arguments == 0 && len(s.Arguments) > 0:
		return nil, &RefusedError{fmt.Errorf("%s takes no argument", s.Kind)}
	case k.arguments != 0 && !k.none && len(s.Arguments) == 0:
		return nil, &RefusedError{fmt.Errorf("%s needs an argument", s.Kind)}
	}
	if len(s.Arguments) > 0 {
		words = append(words, "--")
	}
	for _, a := range s.Arguments {
		a, err := d.value(k.arguments, a)
		if err == nil && k.arguments == text {
			err = isPackage(a)
		}
		if err != nil {
			return nil, err
		}
		words = append(words, a)
	}
	return words, nil
}

// flag returns a flag with its value, "" for one that is off.
func (d *Desk) flag(k kind, name, given string) (string, error) {
	how, ok := k.flags[name]
	switch {
	case !ok:
		return "", &RefusedError{fmt.Errorf("the flag %.40q is not for the service: choose from %s", name,
			strings.Join(slices.Sorted(maps.Keys(k.flags)), ", "))}
	case how == yes && given == "true":
		return "--" + name, nil
	case how == yes && given == "false":
		return "", nil
	case how == yes:
		return "", &RefusedError{fmt.Errorf("the flag %s is true or false", name)}
	case name == "as" && given == wholePackage:
		return "", refused("the form aip is the whole package, also where it is closed to readers: the administrator " +
			"of the machine exports it with quire export")
	}
	v, err := d.value(how, given)
	return "--" + name + "=" + v, err
}

func (d *Desk) value(how value, given string) (string, error) {
	switch {
	case given == "":
		return "", refused("an argument or a flag is empty")
	case strings.ContainsFunc(given, unicode.IsControl):
		return "", &RefusedError{fmt.Errorf("%.40q has a control character", given)}
	case how == path:
		return d.place(given)
	}
	return given, nil
}

// mark stands for the id of a package in a selection. No path has it, because an id could lead out of a folder.
const mark = "{}"

// place returns the absolute path of a file or folder in the folders of the service. It follows links, as far as the
// path exists: a link that leads out of the folders is refused.
func (d *Desk) place(given string) (string, error) {
	if len(d.Folders) == 0 {
		return "", refused("the service has no folder for files; its administrator names some under folders")
	}
	if strings.Contains(given, mark) {
		return "", &RefusedError{fmt.Errorf("%.200q: a path cannot have %s", given, mark)}
	}
	where := given
	if !filepath.IsAbs(where) {
		where = filepath.Join(d.Folders[0], where)
	}
	where = filepath.Clean(where)
	there, err := resolved(where)
	if err != nil {
		return "", errOutside(given)
	}
	for _, folder := range d.Folders {
		within, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue // a folder that is not mounted has no files
		}
		if rel, err := filepath.Rel(within, there); err == nil && rel != "." && filepath.IsLocal(rel) {
			return there, nil
		}
	}
	return "", errOutside(given)
}

// errOutside has one text for each path that is refused: it does not say which files the machine has.
func errOutside(given string) error {
	return &RefusedError{fmt.Errorf("%.200q is not in a folder of the service", given)}
}

// resolved follows the links of a path, whose end need not exist.
func resolved(where string) (string, error) {
	rest := ""
	for at := where; ; {
		there, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(there, rest), nil
		}
		if _, link := os.Lstat(at); link == nil || !errors.Is(err, os.ErrNotExist) {
			return "", errOutside(where)
		}
		up := filepath.Dir(at)
		if up == at {
			return where, nil
		}
		rest, at = filepath.Join(filepath.Base(at), rest), up
	}
}
