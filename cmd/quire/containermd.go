package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quire/internal/secret"
	"quire/metadata/containermd"
	"quire/model"
	"quire/preserve/characterize"
	"quire/preserve/inspect"
)

// containerMDFlags are the flags of --format containermd. A containerMD document describes one
// container; the schema has no element for several. So each container gets its own file.
type containerMDFlags struct {
	ContainerMDVersion string `name:"containermd-version" enum:"1.2,1.1" default:"1.2" help:"Version of containerMD: 1.2 or 1.1."`
	Out                string `placeholder:"FOLDER" help:"Write containerMD to PATH.containermd.xml below this folder, one file per container; required for several containers."`
}

func (c *inspectCmd) wantsContainerMD() bool { return c.Format == "containermd" && !c.JSON }

// checkContainerMD refuses invalid calls before any file is read.
func (c *inspectCmd) checkContainerMD(files []string) error {
	switch {
	case !c.wantsContainerMD() && c.Out != "":
		return errors.New("--out is for --format containermd; the other formats are printed")
	case c.wantsContainerMD() && c.Out == "" && len(files) > 1:
		return fmt.Errorf("a containerMD document describes one container, but %d were named: name a "+
			"folder for the documents with --out", len(files))
	}
	return nil
}

// containerMD describes each container as soon as it has been read.
func (c *inspectCmd) containerMD(ctx context.Context, t *terminal, files []string, o inspect.Options,
	v *verdict) error {
	write := func(_ string, document func(io.Writer) error) error { return document(t.out) }
	if c.Out != "" {
		folder, err := characterize.NewFolder(c.Out, files)
		if err != nil {
			return err
		}
		write = func(container string, document func(io.Writer) error) error {
			return folder.Write(container, func(out io.Writer) error {
				plain := secret.NewWriter(out)
				return errors.Join(document(plain), plain.Flush())
			})
		}
	}
	for _, file := range files {
		err := c.describe(ctx, t, file, o, v, func(document func(io.Writer) error) error {
			return write(file, document)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// describe inspects one container and writes its containerMD.
func (c *inspectCmd) describe(ctx context.Context, t *terminal, file string, o inspect.Options, v *verdict,
	write func(func(io.Writer) error) error) (err error) {
	o.Languages = true
	var entries *characterize.Entries
	if c.Verbose {
		if entries, err = characterize.NewEntries(""); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, entries.Close()) }()
		o.Record = entries.Add
	}
	container, err := inspectOne(ctx, t, file, o)
	if err != nil && v.passOver(ctx, t, err) {
		return nil
	}
	if err != nil {
		return err
	}
	v.add(container.Outcome)
	v.addScan(container.Scan)
	by := characterize.Options{
		Agent: model.Agent{Name: "Quire", Version: version}, Version: containermd.Version(c.ContainerMDVersion),
	}
	return write(func(w io.Writer) error { return characterize.Write(w, container, entries, by) })
}
