package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"quire/internal/yamlfile"
)

// defaults are flag values from a file: for one command, or under the key "" for all commands that
// have the flag.
type defaults map[string]map[string]any

// defaultsFile returns the file that QUIRE_CONFIG names. Otherwise it returns the first
// quire/quire.yaml in the settings folders of the user or the machine (XDG Base Directory
// Specification). It returns "" when none exists, or when QUIRE_CONFIG is empty.
func defaultsFile() string {
	if named, ok := os.LookupEnv("QUIRE_CONFIG"); ok {
		return named
	}
	folders := filepath.SplitList(os.Getenv("XDG_CONFIG_DIRS"))
	if len(folders) == 0 {
		folders = []string{"/etc/xdg"}
	}
	if own, err := os.UserConfigDir(); err == nil {
		folders = slices.Insert(folders, 0, own)
	}
	for _, folder := range folders {
		file := filepath.Join(folder, "quire", "quire.yaml")
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return file
		}
	}
	return ""
}

// readDefaults reads the file and checks that quire has each command and flag in it.
func readDefaults(file string, app *kong.Node) (defaults, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	root, err := yamlfile.Read(in, "the defaults "+file)
	if err != nil {
		return nil, err
	}
	flags := flagsByCommand(app)
	d := defaults{}
	root.Each(func(key string, value *yamlfile.Node) {
		switch {
		case key != "" && flags[key] != nil:
			value.Each(func(flag string, value *yamlfile.Node) { d.set(key, flag, value, flags[key][flag]) })
		default:
			d.set("", key, value, flags[""][key])
		}
	})
	return d, root.Err()
}

func (d defaults) set(command, flag string, value *yamlfile.Node, known bool) {
	switch {
	case !known && command == "":
		value.Fail("quire has no command or flag of this name; for the settings of quire serve use " +
			"config, or QUIRE_SERVE_CONFIG")
		return
	case !known:
		value.Fail("quire %s has no flag of this name", command)
		return
	}
	if d[command] == nil {
		d[command] = map[string]any{}
	}
	if value.IsText() {
		d[command][flag] = value.Text()
		return
	}
	all := []any{}
	value.Items(func(item *yamlfile.Node) { all = append(all, item.Text()) })
	d[command][flag] = all
}

// flagsByCommand returns the flags of each command; the key "" has the flags of all commands.
func flagsByCommand(app *kong.Node) map[string]map[string]bool {
	flags := map[string]map[string]bool{"": {}}
	for _, n := range app.Leaves(true) {
		own := map[string]bool{}
		for _, group := range n.AllFlags(false) { // also the flags of old spellings
			for _, f := range group {
				own[f.Name], flags[""][f.Name] = true, true
			}
		}
		for _, name := range commandNames(n, app.Name) {
			flags[name] = own
		}
	}
	return flags
}

// commandNames returns the names of a command: its own, and the name of its group if it is the
// default of the group.
func commandNames(n *kong.Node, app string) []string {
	names := []string{strings.TrimPrefix(n.FullPath(), app+" ")}
	if n.Parent != nil && n.Parent.DefaultCmd == n {
		names = append(names, strings.TrimPrefix(n.Parent.FullPath(), app+" "))
	}
	return names
}

// value returns the value of a flag from the file. The environment takes precedence.
func (d defaults) value(call *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
	if slices.ContainsFunc(f.Envs, func(name string) bool { _, set := os.LookupEnv(name); return set }) ||
		call.Selected() == nil {
		return nil, nil
	}
	for _, command := range commandNames(call.Selected(), call.Model.Name) {
		if v, ok := d[command][f.Name]; ok {
			return v, nil
		}
	}
	return d[""][f.Name], nil
}

// withDefaults makes the parser use the defaults file, if there is one. It returns the content of
// the file.
func withDefaults(parser *kong.Kong) (defaults, error) {
	file := defaultsFile()
	if file == "" {
		return nil, nil
	}
	d, err := readDefaults(file, parser.Model.Node)
	if err != nil {
		return nil, fmt.Errorf("%w (an empty QUIRE_CONFIG= ignores the file)", err)
	}
	return d, kong.Resolvers(kong.ResolverFunc(d.value)).Apply(parser)
}

// color returns when to write colours, from the setting of the file for all commands. It returns ""
// if the file has no such setting.
func (d defaults) color() string {
	when, _ := d[""]["color"].(string)
	return when
}
