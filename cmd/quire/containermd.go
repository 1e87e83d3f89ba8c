package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/metadata/containermd"
	"quire/model"
	"quire/preserve/characterize"
	"quire/preserve/inspect"
)

// containerMDFlags are those of --format containermd. A containerMD document describes one container, and the schema has no
// element around several: of several, each is written to a file of its own.
type containerMDFlags struct {
	ContainerMDVersion string `name:"containermd-version" enum:"1.2,1.1" default:"1.2" help:"Version of containerMD: 1.2 or 1.1."`
	Out                string `placeholder:"FOLDER" help:"Write containerMD below this folder, to PATH.containermd.xml for each container; needed when there are several."`
}

// containerMDSuffix is added to the name of a container for the file that describes it.
const containerMDSuffix = ".containermd.xml"

func (c *inspectCmd) wantsContainerMD() bool { return c.Format == "containermd" && !c.JSON }

// checkContainerMD refuses calls that could not be answered, before anything is read.
func (c *inspectCmd) checkContainerMD(files []string) error {
	switch {
	case !c.wantsContainerMD() && c.Out != "":
		return errors.New("--out is for --format containermd; the other formats are printed")
	case c.wantsContainerMD() && c.Out == "" && len(files) > 1:
		return fmt.Errorf("a containerMD document describes one container, and these are %d: name a folder for the documents with --out", len(files))
	}
	return nil
}

// containerMD describes each container as soon as it is read; good is cleared when one is not valid.
func (c *inspectCmd) containerMD(t *terminal, files []string, o inspect.Options, good *bool) error {
	names, err := belowOneFolder(files)
	if err != nil {
		return err
	}
	for i, file := range files {
		write := func(document func(io.Writer) error) error { return document(t.out) }
		if c.Out != "" {
			path := filepath.Join(c.Out, names[i]+containerMDSuffix)
			write = func(document func(io.Writer) error) error { return newFile(path, document) }
		}
		outcome, err := c.describe(t, file, o, write)
		if err != nil {
			return err
		}
		*good = *good && outcome == model.Valid
	}
	return nil
}

// describe inspects one container and writes its containerMD.
func (c *inspectCmd) describe(t *terminal, file string, o inspect.Options, write func(func(io.Writer) error) error) (outcome model.Outcome, err error) {
	var entries *characterize.Entries
	if c.Verbose {
		if entries, err = characterize.NewEntries(""); err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, entries.Close()) }()
		o.Record = entries.Add
	}
	container, err := inspectOne(t, file, o)
	if err != nil {
		return "", err
	}
	by := characterize.Options{
		Agent: model.Agent{Name: "Quire", Version: version}, Version: containermd.Version(c.ContainerMDVersion),
	}
	return container.Outcome, write(func(w io.Writer) error { return characterize.Write(w, container, entries, by) })
}

// belowOneFolder names the files from the deepest folder that they all lie below: what is above it tells nothing apart.
func belowOneFolder(files []string) ([]string, error) {
	names := make([]string, len(files))
	top := ""
	for i, file := range files {
		var err error
		if names[i], err = filepath.Abs(file); err != nil {
			return nil, err
		}
		if i == 0 {
			top = filepath.Dir(names[i])
		}
		for !below(top, names[i]) && top != filepath.Dir(top) {
			top = filepath.Dir(top)
		}
	}
	for i := range names {
		var err error
		if names[i], err = filepath.Rel(top, names[i]); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// below says whether the file lies in the folder or deeper.
func below(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// newFile writes a file that must not exist yet, whole or not at all.
func newFile(path string, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already, and nothing is overwritten: name another folder with --out", path)
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".quire-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
