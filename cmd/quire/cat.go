package main

import (
	"context"
	"errors"
	"strconv"

	"quire/preserve/aip"
)

type catCmd struct {
	Package string `arg:"" help:"The package folder."`
	FileID  string `arg:"" optional:"" name:"fileid" help:"ID of a METS file element: a file of the package, or a part of one."`
	Decoded bool   `help:"Undo the transformations that the METS element records: write a bytestream as served, a container inflated."`
	List    bool   `help:"List the IDs with group, size in bytes, media type and original name: all, or those within FILEID."`
	jsonFlag
}

// Run writes the bytes to standard output, or lists the file elements.
func (c *catCmd) Run(ctx context.Context, t *terminal) error {
	switch {
	case c.List && c.Decoded:
		return errors.New("--list prints no file content: leave out --decoded")
	case c.List:
		return t.inBlocks(func() error { return c.list(ctx, t) })
	case c.FileID == "":
		return errors.New("which file? name the ID of a file element; --list lists them")
	case c.JSON:
		return errors.New("--json is for --list: a file is always written unchanged")
	}
	part, err := aip.FindPart(ctx, c.Package, c.FileID)
	if err == nil {
		err = part.Write(ctx, c.Package, t.raw, c.Decoded)
	}
	var wrong *aip.PartError
	if errors.As(err, &wrong) {
		t.warn(wrong.Error())
		return errContent
	}
	return err
}

// list prints one line for each file element, in the order of the METS.
func (c *catCmd) list(ctx context.Context, t *terminal) error {
	if !c.JSON {
		t.columns(partColumns, "id", "group", "bytes", "media type", "name")
	}
	within := -1 // depth of FILEID, while its parts are read
	found := c.FileID == ""
	err := aip.Parts(ctx, c.Package, func(p *aip.Part) error {
		switch {
		case p.ID == c.FileID && !found:
			found, within = true, p.Depth
		case p.Depth == 1 && p.File() == c.FileID && c.FileID != "": // in the METS of the container's records
			within = 0
		case c.FileID != "" && (within < 0 || p.Depth <= within):
			within = -1
			return nil
		}
		return listPart(t, p, c.JSON)
	})
	if err == nil && !found {
		_, err = aip.FindPart(ctx, c.Package, c.FileID)
	}
	return err
}

// partColumns are the widths of a list line: ID, group, size in bytes, media type, name.
var partColumns = []int{24, 20, -12, 32, 0}

func listPart(t *terminal, p *aip.Part, asJSON bool) error {
	if asJSON {
		return t.json(p)
	}
	size := "-"
	if p.Size != nil {
		size = strconv.FormatInt(*p.Size, 10)
	}
	t.columns(partColumns, p.ID, p.Use, size, p.MIMEType, p.Name)
	return t.failed
}
