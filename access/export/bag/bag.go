// Package bag exports a package as a bag (BagIt 1.0, RFC 8493): as stored, or in another format
// (docs/reference/565_exports.md).
package bag

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"quire/access/export"
	"quire/format/bagit"
	"quire/holdings"
	"quire/repository/catalogue"
)

// Format returns the bag format; others are the formats that a bag can contain.
func Format(others []export.Format) export.Format {
	return export.Format{
		Name: "bagit", Title: "BagIt 1.0 (RFC 8493)",
		About: "a folder with digests of every file, to be sent to another archive",
		Make: func(ctx context.Context, s *export.Source, out *export.Output) error {
			fill, what, err := filling(s, out.Options.Bag, others)
			if err != nil {
				return err
			}
			return makeBag(ctx, s, out, fill, what)
		},
		Needs: func(s *export.Source, o export.Options) []catalogue.File {
			switch f, err := export.Find(others, o.Bag); {
			case err == nil:
				return f.Needed(s, o)
			case s.Who.Class == holdings.Staff:
				return s.Version().Files
			}
			return s.Containers()
		},
		Besides: func(s *export.Source, o export.Options) bool {
			f, err := export.Find(others, o.Bag)
			if err != nil { // the package as stored, or an unknown form, which Make reports
				return s.Who.Class == holdings.Staff
			}
			return f.Besides != nil && f.Besides(s, o)
		},
	}
}

// filler writes the payload of a bag.
type filler func(ctx context.Context, s *export.Source, out *export.Output) error

// filling chooses the content of the bag. The package as stored is for curators: it has everything
// in it, restricted material included.
func filling(s *export.Source, name string, others []export.Format) (filler, string, error) {
	staff := s.Who.Class == holdings.Staff
	switch {
	case name == "" && !staff:
		name = "warc"
	case name == "":
		name = export.AIP
	}
	if name == export.AIP {
		if !staff {
			return nil, "",
				errors.New("a package as stored has everything in it, restricted material included: " +
					"only curators can export it in a bag (--for staff). Readers can use --bag warc")
		}
		return stored, "package as it is stored", nil
	}
	f, err := export.Find(others, name)
	if err != nil {
		return nil, "", fmt.Errorf("in a bag: %w", err)
	}
	return f.Make, f.Title, nil
}

// stored writes the files of the package unchanged.
func stored(ctx context.Context, s *export.Source, out *export.Output) error {
	s.Whole()
	files := s.Version().Files
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	out.Progress().Start("copying files", total)
	for _, f := range files {
		in, err := s.OpenStored(ctx, f)
		if err != nil {
			return err
		}
		made, err := out.Copy(ctx, f.Path, in)
		if err := errors.Join(err, in.Close()); err != nil {
			return err
		}
		if made.SHA512 != f.SHA512 {
			return fmt.Errorf("%s changed while being read", f.Path)
		}
	}
	return nil
}

// makeBag fills the bag and writes its tag files.
func makeBag(ctx context.Context, s *export.Source, out *export.Output, fill filler, what string) error {
	data := out.Below(bagit.DataDir)
	defer func() { _ = data.Close() }() // temporary files
	if err := fill(ctx, s, data); err != nil {
		return err
	}
	tags := []tag{
		{bagit.Declaration, func(w io.Writer) error { _, err := bagit.WriteDeclaration(w); return err }},
		{bagit.InfoName, func(w io.Writer) error { return bagit.WriteInfo(w, info(s, data, what)) }},
		{"manifest-sha256.txt", func(w io.Writer) error {
			return manifest(w, data, func(f *export.File) string { return f.SHA256 })
		}},
		{"manifest-sha512.txt", func(w io.Writer) error {
			return manifest(w, data, func(f *export.File) string { return f.SHA512 })
		}},
	}
	if !s.Listed() {
		tags = append(tags, tag{export.WithheldName, s.WriteWithheld})
	}
	var made []export.File
	for _, t := range tags {
		f, err := out.Write(t.name, t.write)
		if err != nil {
			return err
		}
		made = append(made, f)
	}
	for name, sum := range map[string]func(*export.File) string{
		"tagmanifest-sha256.txt": func(f *export.File) string {
			return f.SHA256
		}, "tagmanifest-sha512.txt": func(f *export.File) string { return f.SHA512 },
	} {
		_, err := out.Write(name, func(w io.Writer) error {
			for i := range made {
				if err := bagit.WriteLine(w, sum(&made[i]), made[i].Path); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type tag struct {
	name  string
	write func(io.Writer) error
}

// info returns the elements of bag-info.txt (RFC 8493, 2.2.2).
func info(s *export.Source, data *export.Output, what string) []bagit.Element {
	files, bytes := data.Written()
	return []bagit.Element{
		{Label: "Bagging-Date", Value: time.Now().UTC().Format(time.DateOnly)},
		{Label: "External-Identifier", Value: s.ID()},
		{Label: "Internal-Sender-Identifier", Value: fmt.Sprintf("%s, version %d", s.ID(), s.Version().Number)},
		{Label: "Internal-Sender-Description", Value: what},
		{Label: "External-Description", Value: s.Title()},
		{Label: "Payload-Oxum", Value: bagit.Oxum(bytes, files)},
		{Label: "Bag-Software-Agent", Value: s.Software()},
	}
}

// manifest writes the manifest of the payload.
func manifest(w io.Writer, data *export.Output, sum func(*export.File) string) error {
	return data.Files(func(f export.File) error { return bagit.WriteLine(w, sum(&f), bagit.DataDir+"/"+f.Path) })
}
